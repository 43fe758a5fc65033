-- Carries out the steps in SEEPAGE_PROBE_PLAN and writes what Neovim's own client received to SEEPAGE_PROBE_REPORT.
local PAUSE = 50 -- milliseconds between two looks

local function read(path)
  return vim.fn.json_decode(table.concat(vim.fn.readfile(path), "\n"))
end

-- Looks until the answer, as JSON, matches the pattern (Vim's); the last answer stands either way.
local function wait_for(step, look)
  local answer
  vim.wait((step.limit or 60) * 1000, function()
    answer = look()
    return not step["until"] or vim.fn.match(vim.fn.json_encode(answer), step["until"]) >= 0
  end, PAUSE)
  return answer
end

local function ask(method, params)
  params = params or {}
  params.textDocument = vim.lsp.util.make_text_document_params()
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
    local clients = vim.lsp.buf_get_clients(0)
    return #vim.tbl_keys(clients) > 0
  end, PAUSE)
end
function steps.replace(step)
  local line, start = place(step.find)
  vim.api.nvim_buf_set_text(0, line, start, line, start + #step.find, { step.by })
  return true
end
function steps.save()
  vim.cmd("write")
  return true
end
function steps.hover(step)
  local line, character = place(step.find, step.at)
  local result = ask("textDocument/hover", { position = { line = line, character = character } })
  return result == vim.NIL and {} or { result.contents.value }
end
function steps.lenses(step)
  return wait_for(step, function()
    local found = {}
    local result = ask("textDocument/codeLens")
    for _, lens in ipairs(result == vim.NIL and {} or result) do
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
      return { message = found.message, severity = found.severity, covers = covers, line = found.lnum }
    end, vim.diagnostic.get(0))
  end)
end

local answers = {}
local fine, why = pcall(function()
  for _, step in ipairs(read(vim.env.SEEPAGE_PROBE_PLAN)) do
    step.answer = steps[step["do"]](step)
    table.insert(answers, step)
  end
end)
if not fine then table.insert(answers, { ["do"] = "failed", answer = tostring(why) }) end
vim.fn.writefile({ vim.fn.json_encode(answers) }, vim.env.SEEPAGE_PROBE_REPORT)
vim.cmd("qall!")
