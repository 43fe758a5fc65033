" Seepage's language server for ALE
" SPDX-License-Identifier: Apache-2.0
call ale#Set('seep_seepage_executable', 'seepage-lsp')
call ale#Set('seep_seepage_config', {})

function! ale_linters#seep#seepage#ProjectRoot(buffer) abort
  let l:git = ale#path#FindNearestDirectory(a:buffer, '.git')
  return empty(l:git) ? expand('#' . a:buffer . ':p:h') : fnamemodify(l:git, ':h:h')
endfunction

call ale#linter#Define('seep', {
\   'name': 'seepage',
\   'lsp': 'stdio',
\   'executable': {b -> ale#Var(b, 'seep_seepage_executable')},
\   'command': '%e',
\   'project_root': function('ale_linters#seep#seepage#ProjectRoot'),
\   'initialization_options': {b -> ale#Var(b, 'seep_seepage_config')},
\   'lsp_config': {b -> {'seepage': ale#Var(b, 'seep_seepage_config')}},
\})
