"""The panel in a plain browser, fed by a real server."""
