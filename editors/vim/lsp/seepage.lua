-- Neovim 0.11 and newer finds this by its name: vim.lsp.enable("seepage")
-- SPDX-License-Identifier: Apache-2.0
return {
  cmd = { "seepage-lsp" },
  filetypes = { "seep" },
  root_markers = { "seepage.toml", "pyproject.toml", ".git" },
}
