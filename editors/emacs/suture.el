;;; suture.el --- Suture in Emacs, through eglot  -*- lexical-binding: t; -*-

;;; Commentary:

;; Load this file and run M-x suture-mode-here in a buffer, or call `suture-setup' with the major modes of your code and
;; your pages.  One server serves all of them, because a page can only be checked against the code that is being typed.

;;; Code:

(require 'eglot)

(defvar suture-command '("suture" "lsp")
  "The command that starts the language server.")

(defvar suture-base nil
  "The revision to compare with; nil for the one that `suture check' finds.")

(defclass suture-server (eglot-lsp-server) ()
  "The language server of Suture.")

(cl-defmethod eglot-initialization-options ((_server suture-server))
  "Tell the server what to compare with."
  (if suture-base (list :base suture-base) eglot--{}))

(defun suture-setup (modes)
  "Let eglot start Suture for buffers of the major MODES."
  (add-to-list 'eglot-server-programs
               (cons modes (cons 'suture-server suture-command))))

(provide 'suture)
;;; suture.el ends here
