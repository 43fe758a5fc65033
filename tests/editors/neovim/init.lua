-- The smallest configuration for Neovim 0.7 (Debian 12): docs/editors.md shows the same.
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.seep",
  callback = function() vim.bo.filetype = "seep" end,
})
local client
vim.api.nvim_create_autocmd("FileType", {
  pattern = "seep",
  callback = function(event)
    client = client or vim.lsp.start_client({ name = "seepage", cmd = { "seepage-lsp" }, root_dir = vim.fn.getcwd() })
    vim.lsp.buf_attach_client(event.buf, client)
  end,
})
