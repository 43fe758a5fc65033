"""The symbol model: what stands at a place of a program, as pure functions of a ``Checked``. What editors ask."""
