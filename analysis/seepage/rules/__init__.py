"""The registry of rules: one constant per kind of finding, one module per hundred of codes.

SEEP0xx text and syntax · SEEP1xx names and declarations · SEEP2xx kinds and static values · SEEP3xx exactness ·
SEEP4xx values met while running · SEEP5xx measures and budgets · SEEP7xx Python functions · SEEP9xx limits and what is not supported yet.
Codes are stable and never reused. ``docs/diagnostics.md`` is generated from here.
"""

from seepage.rules.exactness import *
from seepage.rules.limits import *
from seepage.rules.measures import *
from seepage.rules.names import *
from seepage.rules.python import *
from seepage.rules.registry import RULES as RULES
from seepage.rules.running import *
from seepage.rules.text import *
from seepage.rules.values import *
