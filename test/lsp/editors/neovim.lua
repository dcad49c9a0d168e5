-- Renames a function in one buffer, waits for the diagnostics of another, applies the fix, saves, and undoes it.
local code, page, out = vim.env.SUTURE_CODE, vim.env.SUTURE_PAGE, vim.env.SUTURE_OUT
local function report(values)
  vim.fn.writefile({ vim.fn.json_encode(values) }, out)
end
local ok, failure = pcall(function()
  vim.cmd("edit " .. code)
  local code_buffer = vim.api.nvim_get_current_buf()
  vim.cmd("edit " .. page)
  local page_buffer = vim.api.nvim_get_current_buf()
  local before = vim.api.nvim_buf_get_lines(page_buffer, 0, -1, false)
  assert(vim.wait(60000, function()
    local attached = vim.lsp.buf_get_clients(page_buffer)
    return next(attached) ~= nil and select(2, next(attached)).initialized
  end, 20), "the server did not start")
  local client = select(2, next(vim.lsp.buf_get_clients(page_buffer)))
  local lines = vim.api.nvim_buf_get_lines(code_buffer, 0, -1, false)
  for number, line in ipairs(lines) do
    lines[number] = line:gsub("fetchUser", "loadUser")
  end
  vim.api.nvim_buf_set_lines(code_buffer, 0, -1, false, lines)
  assert(vim.wait(60000, function()
    return #vim.diagnostic.get(page_buffer) > 0
  end, 20), "no diagnostics came")
  local found = vim.diagnostic.get(page_buffer)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(page_buffer),
    range = { start = { line = 0, character = 0 }, ["end"] = { line = #before, character = 0 } },
    context = { diagnostics = {}, only = { "source.fixAll.suture" } },
  }
  local answers = vim.lsp.buf_request_sync(page_buffer, "textDocument/codeAction", params, 60000)
  local action = answers[client.id].result[1]
  vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
  vim.api.nvim_buf_call(code_buffer, function() vim.cmd("write") end)
  vim.api.nvim_buf_call(page_buffer, function() vim.cmd("write") end)
  assert(vim.wait(60000, function()
    return #vim.diagnostic.get(page_buffer) == 0
  end, 20), "the diagnostics did not go")
  vim.api.nvim_buf_call(page_buffer, function() vim.cmd("undo") end)
  report({
    messages = vim.tbl_map(function(one) return one.message end, found),
    places = vim.tbl_map(function(one) return { one.lnum, one.col } end, found),
    undone = vim.deep_equal(before, vim.api.nvim_buf_get_lines(page_buffer, 0, -1, false)),
  })
end)
if not ok then
  report({ failure = tostring(failure) })
end
vim.cmd("qall!")
