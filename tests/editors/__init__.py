"""Seepage in real editors: VS Code (as code-server, in Chromium), Neovim, Emacs and Vim, with the server of this checkout."""
