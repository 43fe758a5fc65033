"""One file a feature of the protocol."""
