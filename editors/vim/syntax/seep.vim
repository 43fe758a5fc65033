" Vim syntax file: programs of Seepage
" SPDX-License-Identifier: Apache-2.0
if exists('b:current_syntax')
  finish
endif

syntax keyword seepDeclaration param const secret output initial final
syntax keyword seepConditional if then else
syntax keyword seepRepeat for while
syntax keyword seepStatement observe skip show require over in bits nats
syntax region seepText start=/"/ end=/"/ oneline
highlight default link seepText String
syntax keyword seepOperatorWord and or xor not
syntax keyword seepConstant true false inf
" Keywords only where they stand: these begin a statement and are no targets, those have something on both sides.
syntax match seepStatement /\%(^\|[;{}]\)\s*\zs\<\%(def\|return\|break\|continue\|repeat\|until\|never\|enum\|table\|attacker\|import\)\>\ze\%(\s*$\|\s*[{;}]\|\s\+[^][:~=,. \t]\)/
syntax match seepStatement /\%([])"[:alnum:]_]\s\+\)\@<=\<\%(given\|from\|as\|weight\)\>\ze\s\+[^][:~=,. \t]/
syntax match seepMeasure /\<\%(H\|I\|KL\|Dalpha\|P\|E\|Var\|Hmin\|V\|Guess\|Lmin\|C\|Cmin\|DP\|Delta\|Renyi\|zCDP\|G\)\ze\s*(/
syntax match seepDistribution /\<\%(bernoulli\|beta_binomial\|binomial\|categorical\|discrete_gaussian\|discrete_laplace\|flip\|geometric\|hypergeometric\|poisson\|uniform_int\|uniform_of\|mixture\|beta\|cauchy\|exponential\|gamma\|gumbel\|laplace\|logistic\|lognormal\|normal\|pareto\|rayleigh\|student_t\|triangular\|uniform\|weibull\|weights\|permutation\|sample\|multinomial\|negative_binomial\|zipf\|dirichlet\|planar_laplace\)\ze\s*(/
syntax match seepFunction /\<\%(min\|max\|abs\|floor\|ceil\|exp\|log\|sqrt\|bit_xor\|bit_and\|bit_or\|shift_left\|shift_right\|popcount\|sum\|count\|any\|all\|mean\|length\|sort\|argmin\|argmax\)\ze\s*(/
syntax match seepNumber /\<\d\+\%(\.\d\+\)\?\%([eE][+-]\?\d\+\)\?\>/
syntax match seepOperator /:=\|\~\|==\|!=\|<=\|>=\|->\|||\|\.\.\|[-+*%^!<>=|]\|\/\%(\/\|\*\)\@!/
syntax region seepComment start="//" end="$" contains=seepTodo,@Spell
syntax region seepDocumentation start="///" end="$" contains=seepTodo,@Spell
syntax region seepComment start="/\*" end="\*/" contains=seepComment,seepTodo,@Spell
syntax keyword seepTodo TODO FIXME XXX contained
syntax sync ccomment seepComment

highlight default link seepDeclaration StorageClass
highlight default link seepConditional Conditional
highlight default link seepRepeat Repeat
highlight default link seepStatement Statement
highlight default link seepOperatorWord Operator
highlight default link seepConstant Constant
highlight default link seepMeasure Function
highlight default link seepDistribution Function
highlight default link seepFunction Function
highlight default link seepNumber Number
highlight default link seepOperator Operator
highlight default link seepComment Comment
highlight default link seepDocumentation SpecialComment
highlight default link seepTodo Todo

let b:current_syntax = 'seep'
