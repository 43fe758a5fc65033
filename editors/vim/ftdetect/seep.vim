autocmd BufRead,BufNewFile *.seep setfiletype seep
