if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=//\ %s comments=:///,://,s1:/*,mb:*,ex:*/ expandtab shiftwidth=4 softtabstop=4 fileencoding=utf-8
let b:undo_ftplugin = 'setlocal commentstring< comments< expandtab< shiftwidth< softtabstop< fileencoding<'
