"""Symbols as numbers: what dictionaries of states and tables of data are looked up by."""

from seepage.exact.symbols import number_of, symbol_of

WORDS = tuple(f"word {number}" for number in range(2_000))


def test_symbols_are_read_back_from_their_numbers() -> None:
    assert [symbol_of(number_of(word)) for word in WORDS] == list(WORDS)


def test_numbers_of_symbols_have_hashes_of_their_own() -> None:
    """All fractions over the modulus of Python's hashes have the same one: a dictionary of them is searched one by one."""
    assert len({hash(number_of(word)) for word in WORDS}) == len(WORDS)
