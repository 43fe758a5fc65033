;;; eglot.el --- What the probe asks of eglot  -*- lexical-binding: t; -*-

(require 'eglot)
(require 'flymake)

(defun seepage-probe-ready ()
  "Tell whether the buffer has its server."
  (if (and (eglot-current-server) (eglot-managed-p)) t :false))

(defun seepage-probe-look ()
  "Do what idle time does where there is some: send changes, and take findings in."
  (eglot--signal-textDocument/didChange)
  (flymake-start))

(defun seepage-probe-hover ()
  "Return what eldoc shows at point, as a list of texts."
  (let ((deadline (+ (float-time) 20)) shown)
    (eglot--signal-textDocument/didChange)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown (or text ""))))
    (while (and (null shown) (< (float-time) deadline))
      (accept-process-output nil 0.02))
    (list (substring-no-properties (or shown "")))))

(defun seepage-probe-diagnostics ()
  "Return what flymake shows."
  (mapcar (lambda (found)
            `((message . ,(flymake-diagnostic-text found))
              (severity . ,(pcase (flymake-diagnostic-type found) ('eglot-error 1) ('eglot-warning 2) (_ 4)))
              (covers . ,(seepage-probe-covered (flymake-diagnostic-beg found) (flymake-diagnostic-end found)))
              (line . ,(1- (line-number-at-pos (flymake-diagnostic-beg found))))))
          (flymake-diagnostics)))

(defun seepage-probe-lenses ()
  "Return no lenses: eglot shows none."
  nil)
