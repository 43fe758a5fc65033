"""VS Code, as code-server in a browser without a screen."""
