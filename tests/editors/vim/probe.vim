" Carries out the steps in SEEPAGE_PROBE_PLAN and writes what ALE shows to SEEPAGE_PROBE_REPORT.
set nomore shortmess+=AF hidden

" Looks until the answer, as JSON, matches the one pattern and not the other; the last answer stands either way.
function! s:WaitFor(step, look) abort
  let l:start = reltime()
  while v:true
    let l:answer = a:look()
    let l:seen = json_encode(l:answer)
    let l:fine = (!has_key(a:step, 'until') || l:seen =~# a:step.until) && !(has_key(a:step, 'unless') && l:seen =~# a:step.unless)
    if l:fine || reltimefloat(reltime(l:start)) > get(a:step, 'limit', 180)
      return l:answer
    endif
    sleep 50m
  endwhile
endfunction

function! s:Place(find) abort
  let l:pattern = '\V\C' . escape(a:find, '\')
  for l:number in range(1, line('$'))
    let l:start = match(getline(l:number), l:pattern)
    if l:start >= 0
      return [l:number, l:start]
    endif
  endfor
  throw "'" . a:find . "' is not in the buffer"
endfunction

function! s:Do_open(step) abort
  execute 'edit' fnameescape(a:step.file)
  ALELint
  return v:true
endfunction

function! s:Do_replace(step) abort
  let [l:number, l:start] = s:Place(a:step.find)
  let l:line = getline(l:number)
  call setline(l:number, strpart(l:line, 0, l:start) . a:step.by . strpart(l:line, l:start + strlen(a:step.find)))
  " Without a screen nobody pauses: what the pause after typing does is done now.
  ALELint
  return v:true
endfunction

function! s:Do_save(step) abort
  write
  return v:true
endfunction

function! s:Hover(step) abort
  let [l:number, l:start] = s:Place(a:step.find)
  call cursor(l:number, l:start + 1)
  if has_key(a:step, 'at')
    execute 'normal!' a:step.at . 'l'
  endif
  pclose
  ALEHover
  let l:begun = reltime()
  while reltimefloat(reltime(l:begun)) < 3
    for l:window in range(1, winnr('$'))
      if getwinvar(l:window, '&previewwindow')
        return getbufline(winbufnr(l:window), 1, '$')
      endif
    endfor
    sleep 20m
  endwhile
  return []
endfunction

function! s:Do_hover(step) abort
  return s:WaitFor(a:step, {-> s:Hover(a:step)})
endfunction

function! s:Covers(found) abort
  let l:end = get(a:found, 'end_col', a:found.col)
  return strpart(getbufline('%', a:found.lnum)[0], a:found.col - 1, l:end - a:found.col + 1)
endfunction

function! s:Do_diagnostics(step) abort
  " ALE shows warnings, information and hints alike.
  let l:severities = {'E': 1, 'W': 4, 'I': 4}
  return s:WaitFor(a:step, {-> map(copy(ale#engine#GetLoclist(bufnr('%'))), {_, found -> {
  \   'message': found.text, 'severity': l:severities[found.type], 'covers': s:Covers(found), 'line': found.lnum - 1}})})
endfunction

function! s:Do_lenses(step) abort
  return []
endfunction

let s:answers = []
try
  for s:step in json_decode(join(readfile($SEEPAGE_PROBE_PLAN), "\n"))
    let s:step.answer = function('s:Do_' . s:step.do)(s:step)
    call add(s:answers, s:step)
  endfor
catch
  call add(s:answers, {'do': 'failed', 'answer': v:exception . ' at ' . v:throwpoint})
endtry
call writefile([json_encode(s:answers)], $SEEPAGE_PROBE_REPORT)
quitall!
