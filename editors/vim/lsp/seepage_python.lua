-- Python files with marks, beside another server for Python: vim.lsp.enable("seepage_python")
-- SPDX-License-Identifier: Apache-2.0
return {
  cmd = { "seepage-lsp", "--python" },
  filetypes = { "python" },
  root_markers = { "seepage.toml", "pyproject.toml", ".git" },
}
