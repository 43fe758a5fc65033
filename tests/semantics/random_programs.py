"""Random small discrete programs as text, for properties that hold of all programs."""

from __future__ import annotations

from hypothesis import strategies as st

VARIABLES = ("a", "b", "c", "d", "e[1]", "e[2]")


def _expressions(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    atoms = st.sampled_from([*names, "0", "1", "2"])
    return st.one_of(
        atoms,
        st.builds("{} + {}".format, atoms, atoms),
        st.builds("{} * {}".format, atoms, atoms),
        st.builds("if {} == {} then {} else {}".format, atoms, atoms, atoms, atoms),
    )


def _conditions(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    atoms = st.sampled_from([*names, "0", "1"])
    compared = st.builds("{} {} {}".format, atoms, st.sampled_from(["==", "!=", "<="]), atoms)
    return st.one_of(compared, st.builds("{} or {}".format, compared, compared))


def _laws(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    chances = st.sampled_from(["1/2", "1/3", *(f"min(1, {name} * {name} / 4)" for name in names)])
    return st.one_of(
        st.builds("bernoulli({})".format, chances),
        st.just("{0: 1/4, 1: 1/4, 2: 1/2}"),
    )


def statements(names: tuple[str, ...] = VARIABLES, depth: int = 2) -> st.SearchStrategy[str]:
    """Return statements over the given variables; with loop variables, indices use them."""
    target = st.sampled_from(VARIABLES)
    simple = st.one_of(
        st.builds("{} := {}".format, target, _expressions(names)),
        st.builds("{} ~ {}".format, target, _laws(names)),
        st.builds("{} ~ {}".format, target, _laws(())),
        st.builds("observe({})".format, _conditions(names)),
        st.builds("e[1 + min(1, {} * {})] := {}".format, *[st.sampled_from(names)] * 3),
        st.builds("{} := e[1 + min(1, {} * {})]".format, target, *[st.sampled_from(names)] * 2),
    )
    if depth == 0:
        return simple
    block = st.lists(statements(names, depth - 1), min_size=1, max_size=3).map("; ".join)
    name = f"i{depth}"
    inner = st.lists(statements((*names, name), depth - 1), min_size=1, max_size=2).map("; ".join)
    return st.one_of(
        simple,
        simple,
        simple,
        st.builds("if {} {{ {} }} else {{ {} }}".format, _conditions(names), block, block),
        st.builds("if {} {{ {} }}".format, _conditions(names), block),
        st.builds(("for " + name + " in {}..{} {{{{ {} }}}}").format, st.integers(0, 1), st.integers(0, 2), inner).map(
            lambda text: text.replace("{{", "{").replace("}}", "}")
        ),
    )


def programs(most: int = 8) -> st.SearchStrategy[str]:
    """Return programs in which both elements of ``e`` exist."""
    head = "e[1] := 0\ne[2] := 1\n"
    return st.lists(statements(), min_size=1, max_size=most).map(lambda lines: head + "\n".join(lines) + "\n")
