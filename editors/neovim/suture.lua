-- Starts `suture lsp` for every file of a git repository. Works with Neovim 0.7 and newer.
-- Put it in your plugin folder, or load it from init.lua: require("suture").setup({})
local M = {}

function M.setup(options)
  options = options or {}
  local clients = {}
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
    group = vim.api.nvim_create_augroup("suture", {}),
    callback = function(event)
      local name = vim.api.nvim_buf_get_name(event.buf)
      if name == "" or vim.bo[event.buf].buftype ~= "" then
        return
      end
      local git = vim.fn.finddir(".git", vim.fn.fnamemodify(name, ":h") .. ";")
      if git == "" then
        git = vim.fn.findfile(".git", vim.fn.fnamemodify(name, ":h") .. ";")
      end
      if git == "" then
        return
      end
      local root = vim.fn.fnamemodify(vim.fn.fnamemodify(git, ":p:s?/$??"), ":h")
      clients[root] = clients[root]
        or vim.lsp.start_client({
          name = "suture",
          cmd = options.cmd or { "suture", "lsp" },
          root_dir = root,
          init_options = { base = options.base },
          on_exit = function() clients[root] = nil end,
        })
      vim.lsp.buf_attach_client(event.buf, clients[root])
    end,
  })
end

return M
