"""Seepage in real editors: VS Code (as code-server, in Chromium) and Neovim, with the server of this checkout."""
