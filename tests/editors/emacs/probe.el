;;; probe.el --- Carries out the steps in SEEPAGE_PROBE_PLAN  -*- lexical-binding: t; -*-

;; Writes what the client received to SEEPAGE_PROBE_REPORT. What depends on the client is in eglot.el and lsp-mode.el:
;; seepage-probe-ready, -look, -hover, -diagnostics, -lenses.

(require 'json)
(require 'seq)

(defun seepage-probe-json (value)
  "Return VALUE as the text of JSON."
  (decode-coding-string (json-serialize value :null-object :null :false-object :false) 'utf-8))

(defun seepage-probe-wait (step look)
  "Call LOOK until its answer as JSON matches and does not match what STEP says; return the last one."
  (let ((deadline (+ (float-time) (or (alist-get (quote limit) step) 180)))
        (until (alist-get 'until step))
        (unless (alist-get 'unless step))
        answer fine)
    (while (not fine)
      (setq answer (funcall look))
      (let ((seen (seepage-probe-json answer)) (case-fold-search nil))
        (setq fine (or (and (or (null until) (string-match-p until seen))
                            (not (and unless (string-match-p unless seen))))
                       (> (float-time) deadline))))
      (unless fine (accept-process-output nil 0.05)))
    answer))

(defun seepage-probe-place (step)
  "Return where the text that STEP names begins in the buffer."
  (save-excursion
    (goto-char (point-min))
    (let ((case-fold-search nil))
      (search-forward (alist-get 'find step))
      (match-beginning 0))))

(defun seepage-probe-step (step)
  "Carry out one STEP and return its answer."
  (pcase (alist-get 'do step)
    ("write"
     (let ((coding-system-for-write 'utf-8)) (write-region (alist-get 'text step) nil (alist-get 'file step)))
     t)
    ("open"
     (find-file (alist-get 'file step))
     (run-hooks 'post-command-hook)
     (seepage-probe-wait '((until . "true")) #'seepage-probe-ready))
    ("replace"
     (let ((start (seepage-probe-place step)))
       (goto-char start)
       (delete-region start (+ start (length (alist-get 'find step))))
       (insert (alist-get 'by step)))
     t)
    ("save" (save-buffer) t)
    ("hover"
     (seepage-probe-wait step
                         (lambda ()
                           (goto-char (+ (seepage-probe-place step) (or (alist-get 'at step) 0)))
                           (vconcat (seepage-probe-hover)))))
    ("diagnostics"
     (seepage-probe-wait step (lambda () (seepage-probe-look) (vconcat (seepage-probe-diagnostics)))))
    ("lenses"
     (seepage-probe-wait step (lambda () (seepage-probe-look) (vconcat (seepage-probe-lenses)))))))

(defun seepage-probe-covered (start end)
  "Return the text between START and END in the form of a plan's answer."
  (buffer-substring-no-properties start end))

(defun seepage-probe-run ()
  "Carry out the plan and write the report."
  (let ((plan (with-temp-buffer
                (insert-file-contents (getenv "SEEPAGE_PROBE_PLAN"))
                (json-parse-buffer :object-type 'alist :array-type 'list)))
        (answers nil)
        (inhibit-message t))
    (condition-case problem
        (dolist (step plan)
          (push (append step (list (cons 'answer (seepage-probe-step step)))) answers))
      (error (push `((do . "failed") (answer . ,(format "%S" problem))) answers)))
    (with-temp-file (getenv "SEEPAGE_PROBE_REPORT")
      (set-buffer-file-coding-system 'utf-8)
      (insert (seepage-probe-json (vconcat (nreverse answers)))))
    (kill-emacs 0)))
