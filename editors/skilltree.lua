-- Neovim 0.11 and newer: copy to ~/.config/nvim/lsp/skilltree.lua, and call vim.lsp.enable('skilltree').
return {
  cmd = { 'skilltree', 'lsp' },
  filetypes = { 'markdown', 'toml', 'json', 'yaml' },
  root_markers = { 'skilltree.toml', '.git' },
}
