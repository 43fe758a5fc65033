"""The names of the server's own requests and notifications. How they are read stands in :mod:`seepage_lsp.questions`, which only a question loads."""

from __future__ import annotations

RESULTS = "seepage/results"
MEASURE = "seepage/measure"
PLOT = "seepage/plot"
EXPLAIN = "seepage/explain"
POSTERIOR = "seepage/posterior"
WORST = "seepage/worst"
WHERE = "seepage/where"
RANGE = "seepage/range"
FUNCTIONS = "seepage/functions"
QUESTIONS = (MEASURE, PLOT, EXPLAIN, POSTERIOR, WORST, WHERE, RANGE)
REQUESTS = (RESULTS, FUNCTIONS, *QUESTIONS)

RESULTS_CHANGED = "seepage/resultsChanged"
SERVER_STATUS = "seepage/serverStatus"
NOTIFICATIONS = (RESULTS_CHANGED, SERVER_STATUS)

PROTOCOL = 1
ANNOUNCED = {"protocol": PROTOCOL, "requests": [*REQUESTS], "notifications": [*NOTIFICATIONS]}
