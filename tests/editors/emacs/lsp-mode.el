;;; lsp-mode.el --- What the probe asks of lsp-mode  -*- lexical-binding: t; -*-

(require 'lsp-mode)
(require 'lsp-lens)

;; The question which folder is the project has no place here.
(lsp-workspace-folders-add default-directory)
(setq lsp-auto-guess-root t)

(defun seepage-probe-ready ()
  "Tell whether the buffer has its server."
  (if (seq-find (lambda (one) (eq 'initialized (lsp--workspace-status one))) (lsp-workspaces)) t :false))

(defun seepage-probe-look ()
  "Do what idle time does where there is some: bring the lenses of the buffer up to date."
  (run-hooks 'lsp-on-idle-hook)
  (accept-process-output nil 0.05))

(defun seepage-probe-hover ()
  "Return what a hover at point shows, as a list of texts."
  (let ((contents (gethash "contents" (or (lsp-request "textDocument/hover" (lsp--text-document-position-params))
                                          (make-hash-table :test 'equal)))))
    (list (if contents (substring-no-properties (or (lsp--render-on-hover-content contents t) "")) ""))))

(defun seepage-probe-diagnostics ()
  "Return the findings that lsp-mode keeps for the buffer."
  (mapcar (lambda (found)
            (let* ((range (gethash "range" found))
                   (start (lsp--position-to-point (gethash "start" range)))
                   (end (lsp--position-to-point (gethash "end" range))))
              `((message . ,(gethash "message" found))
                (severity . ,(gethash "severity" found))
                (covers . ,(seepage-probe-covered start end))
                (line . ,(gethash "line" (gethash "start" range))))))
          (gethash (lsp--fix-path-casing buffer-file-name) (lsp-diagnostics t))))

(defun seepage-probe-lenses ()
  "Return the lenses that stand in the buffer."
  (mapcar (lambda (overlay)
            `((line . ,(1- (line-number-at-pos (overlay-start overlay))))
              (title . ,(string-trim (substring-no-properties (or (overlay-get overlay 'before-string)
                                                                  (overlay-get overlay 'after-string) ""))))))
          (seq-filter (lambda (overlay) (overlay-get overlay 'lsp-lens)) (overlays-in (point-min) (1+ (point-max))))))
