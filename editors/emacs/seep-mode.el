;;; seep-mode.el --- Edit programs of Seepage  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages

;;; Commentary:

;; Colours, comments, indentation and an index for probabilistic programs (*.seep), and the
;; language server `seepage-lsp' for eglot and lsp-mode, whichever is there.

;;; Code:

(defgroup seep nil
  "Programs of Seepage, which says how much they leak."
  :group 'languages
  :prefix "seep-")

(defcustom seep-server-command '("seepage-lsp")
  "The language server and its arguments: a program on the path, or a file."
  :type '(repeat string))

(defcustom seep-indent-offset 4
  "Columns that a block is indented; the formatter uses 4."
  :type 'natnum
  :safe #'natnump)

(defconst seep--declarations '("param" "const" "secret" "output" "initial" "final"))
(defconst seep--keywords
  '("if" "then" "else" "for" "in" "while" "observe" "skip" "show" "require" "over" "bits" "nats" "and" "or" "xor" "not"))
;; Keywords only where they stand: these begin a statement and are no targets, those have something on both sides.
(defconst seep--heads
  '("def" "return" "break" "continue" "repeat" "until" "never" "enum" "table" "attacker" "import"))
(defconst seep--joints '("given" "from" "as" "weight"))
(defconst seep--constants '("true" "false" "inf"))
(defconst seep--measures
  '("H" "I" "KL" "Dalpha" "P" "E" "Var" "Hmin" "V" "Guess" "Lmin" "C" "Cmin" "DP" "Delta" "Renyi" "zCDP" "G"))
(defconst seep--distributions
  '("bernoulli" "beta_binomial" "binomial" "categorical" "discrete_gaussian" "discrete_laplace" "flip" "geometric"
    "hypergeometric" "poisson" "uniform_int" "uniform_of" "mixture" "beta" "cauchy" "exponential" "gamma" "gumbel"
    "laplace" "logistic" "lognormal" "normal" "pareto" "rayleigh" "student_t" "triangular" "uniform" "weibull"
    "weights" "permutation" "sample" "multinomial" "negative_binomial" "zipf" "dirichlet" "planar_laplace"))
(defconst seep--functions
  '("min" "max" "abs" "floor" "ceil" "exp" "log" "sqrt" "bit_xor" "bit_and" "bit_or" "shift_left" "shift_right" "popcount"
    "sum" "count" "any" "all" "mean" "length" "sort" "argmin" "argmax"))

(defun seep--called (words)
  "Return a pattern for WORDS where an opening parenthesis follows."
  (concat (regexp-opt words 'symbols) "[ \t]*("))

(defconst seep-font-lock-keywords
  `((,(regexp-opt seep--declarations 'symbols) . font-lock-type-face)
    (,(regexp-opt seep--keywords 'symbols) . font-lock-keyword-face)
    ("\"[^\"\n]*\"" . font-lock-string-face)
    (,(concat "\\(?:^\\|[;{}]\\)[ \t]*" (regexp-opt seep--heads t) "\\(?:[ \t]*$\\|[ \t]*[{;}]\\|[ \t]+[^][:~=,. \t]\\)")
     1 font-lock-keyword-face)
    (,(concat "[])\"[:alnum:]_][ \t]+" (regexp-opt seep--joints t) "[ \t]+[^][:~=,. \t]") 1 font-lock-keyword-face)
    ("\\_<def[ \t]+\\([[:alpha:]_][[:alnum:]_]*\\)" 1 font-lock-function-name-face)
    ("\\_<enum[ \t]+\\([[:alpha:]_][[:alnum:]_]*\\)" 1 font-lock-type-face)
    (,(regexp-opt seep--constants 'symbols) . font-lock-constant-face)
    (,(seep--called seep--measures) 1 font-lock-function-name-face)
    (,(seep--called seep--distributions) 1 font-lock-function-name-face)
    (,(seep--called seep--functions) 1 font-lock-builtin-face))
  "Words of the language, by kind.")

(defvar seep-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "." table)
    (dolist (operator '(?+ ?- ?= ?% ?< ?> ?& ?| ?^ ?! ?~ ?:))
      (modify-syntax-entry operator "." table))
    table)
  "Comments run from // to the end of the line, or from /* to */, nested.")

(defun seep-indent-line ()
  "Indent the line by the braces around it."
  (interactive)
  (let ((column (* seep-indent-offset (max 0 (seep--depth)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

(defun seep--depth ()
  "Return how many brackets are open here, without those that close first."
  (save-excursion
    (back-to-indentation)
    (let ((depth (car (syntax-ppss (line-beginning-position)))))
      (while (looking-at "[]})]")
        (setq depth (1- depth))
        (forward-char))
      depth)))

;;;###autoload
(define-derived-mode seep-mode prog-mode "Seep"
  "Major mode for programs of Seepage."
  (setq-local comment-start "// "
              comment-end ""
              comment-start-skip "\\(?://+\\|/\\*+\\)[ \t]*"
              indent-line-function #'seep-indent-line
              electric-indent-chars (cons ?} electric-indent-chars)
              font-lock-defaults '(seep-font-lock-keywords)
              imenu-generic-expression
              '((nil "^[ \t]*\\(?:param\\|const\\|secret\\|output\\|def\\|enum\\|table\\)[ \t]+\\(?:initial[ \t]+\\|final[ \t]+\\)?\\([[:alpha:]_][[:alnum:]_]*\\)" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.seep\\'" . seep-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'seep-mode (lambda (&rest _) seep-server-command))))

(defvar lsp-language-id-configuration)
(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-activate-on "lsp-mode")
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(seep-mode . "seep"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () seep-server-command))
                    :activation-fn (lsp-activate-on "seep")
                    :server-id 'seepage)))

(provide 'seep-mode)
;;; seep-mode.el ends here
