-- Carries out the steps in SEEPAGE_PROBE_PLAN and writes what Neovim's own client received to SEEPAGE_PROBE_REPORT.
local PAUSE = 50 -- milliseconds between two looks

local function read(path)
  return vim.fn.json_decode(table.concat(vim.fn.readfile(path), "\n"))
end

-- Looks until the answer, as JSON, matches the one pattern (Vim's) and not the other; the last answer stands either way.
local function wait_for(step, look)
  local answer
  vim.wait((step.limit or 180) * 1000, function()
    answer = look()
    local seen = vim.fn.json_encode(answer)
    return (not step["until"] or vim.fn.match(seen, step["until"]) >= 0)
      and not (step["unless"] and vim.fn.match(seen, step["unless"]) >= 0)
  end, PAUSE)
  return answer
end

local function clients()
  if vim.lsp.get_clients then return vim.lsp.get_clients({ bufnr = 0 }) end
  return vim.tbl_values(vim.lsp.buf_get_clients(0))
end

local function ask(method, params)
  params = params or { textDocument = vim.lsp.util.make_text_document_params() }
  for _, reply in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    if reply.error then error(vim.inspect(reply.error)) end
    if reply.result then return reply.result end
  end
  return vim.NIL
end

local function place(find, at)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local start = line:find(find, 1, true)
    if start then return number - 1, start - 1 + (at or 0) end
  end
  error("'" .. find .. "' is not in the buffer")
end

local steps = {}
function steps.open(step)
  vim.cmd("edit " .. vim.fn.fnameescape(step.file))
  return vim.wait(20000, function()
    local client = clients()[1]
    return client ~= nil and client.initialized ~= false
  end, PAUSE)
end
function steps.replace(step)
  local line, start = place(step.find)
  vim.api.nvim_buf_set_text(0, line, start, line, start + #step.find, { step.by })
  return true
end
function steps.write(step)
  vim.fn.writefile(vim.split(step.text, "\n"), step.file)
  return true
end
function steps.stop(step)
  for _, client in ipairs(clients()) do
    if client.name == step.server then client:stop(true) end
  end
  return true
end
-- What the hover of each server tells, by its name.
function steps.hovers(step)
  return wait_for(step, function()
    local found = vim.empty_dict()
    local line, byte = place(step.find, step.at)
    vim.api.nvim_win_set_cursor(0, { line + 1, byte })
    for _, client in ipairs(clients()) do
      local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
      local reply = client:request_sync("textDocument/hover", params, 20000, 0)
      if reply and reply.result then found[client.name] = reply.result.contents.value end
    end
    return found
  end)
end
-- What the grammar for tree-sitter says of a place: the names of its colours, how deep it is folded, and whether the text has an error.
function steps.grammar(step)
  local line, byte = place(step.find, step.at)
  local parser = vim.treesitter.get_parser(0, "seep")
  local tree = parser:parse()[1]
  local colours = vim.tbl_map(function(one) return one.capture end, vim.treesitter.get_captures_at_pos(0, line, byte))
  local highlights = vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil
  return { colours = colours, fold = vim.fn.foldlevel(line + 1), error = tree:root():has_error(), highlights = highlights }
end
function steps.save()
  vim.cmd("write")
  return true
end
function steps.hover(step)
  return wait_for(step, function()
    local line, byte = place(step.find, step.at)
    vim.api.nvim_win_set_cursor(0, { line + 1, byte })
    local encoding = clients()[1].offset_encoding
    local result = ask("textDocument/hover", vim.lsp.util.make_position_params(0, encoding))
    return result == vim.NIL and {} or { result.contents.value }
  end)
end
function steps.lenses(step)
  return wait_for(step, function()
    local found = {}
    local result = ask("textDocument/codeLens")
    for _, lens in ipairs(result == vim.NIL and {} or result) do
      if not lens.command then lens = ask("codeLens/resolve", lens) end
      table.insert(found, { line = lens.range.start.line, title = lens.command and lens.command.title or "" })
    end
    return found
  end)
end
function steps.diagnostics(step)
  return wait_for(step, function()
    return vim.tbl_map(function(found)
      local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, true)[1]
      local covers = found.end_lnum == found.lnum and line:sub(found.col + 1, found.end_col) or line:sub(found.col + 1)
      -- Right after an edit, the place of an older finding may cut a character in two, which is no text.
      if not pcall(vim.fn.json_encode, covers) then covers = "" end
      return { message = found.message, severity = found.severity, covers = covers, line = found.lnum, source = found.source }
    end, vim.diagnostic.get(0))
  end)
end

local answers = {}
local fine, why = pcall(function()
  for _, step in ipairs(read(vim.env.SEEPAGE_PROBE_PLAN)) do
    local start = vim.loop.hrtime()
    step.answer = steps[step["do"]](step)
    step.seconds = (vim.loop.hrtime() - start) / 1e9
    table.insert(answers, step)
  end
end)
if not fine then table.insert(answers, { ["do"] = "failed", answer = tostring(why) }) end
pcall(function() vim.fn.writefile({ vim.fn.json_encode(answers) }, vim.env.SEEPAGE_PROBE_REPORT) end)
vim.cmd("qall!")
