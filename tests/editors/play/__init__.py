"""The page of ``seepage play`` as a person uses it, in Chromium, with a real server behind it."""
