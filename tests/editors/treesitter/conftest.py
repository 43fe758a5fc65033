"""The grammar, compiled once for the tests of this folder."""

from __future__ import annotations

import pytest
from tests.editors.installed import compiler
from tests.editors.required import have
from tests.editors.treesitter.building import language, library
from tree_sitter import Language, Parser


@pytest.fixture(scope="session")
def seep(tmp_path_factory: pytest.TempPathFactory) -> Language:
    have(compiler)
    return language(library(tmp_path_factory.mktemp("grammar")))


@pytest.fixture
def parser(seep: Language) -> Parser:
    return Parser(seep)
