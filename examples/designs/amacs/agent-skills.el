;;; agent-skills.el --- AMACS skill binding (IMP-023) on top of skilltree -*- lexical-binding: t -*-

;;; Commentary:

;; The functions of the design with their names and messages.  skilltree keeps the
;; bindings in .agent/threads.json, finds the skills in ~/.agent/skills, and builds the
;; section of the active thread.

;;; Code:

(require 'json)
(require 'seq)
(require 'subr-x)

(defvar agent-skilltree-program (or (getenv "SKILLTREE") "skilltree")
  "The program skilltree.")

(defun agent--skilltree (&rest arguments)
  "Run skilltree with ARGUMENTS; return standard output, or signal its message."
  (let ((errors (make-temp-file "skilltree")))
    (unwind-protect
        (with-temp-buffer
          (let ((status (apply #'call-process agent-skilltree-program nil (list t errors) nil arguments)))
            (unless (equal status 0)
              (error "%s" (with-temp-buffer
                            (insert-file-contents errors)
                            (string-trim (buffer-string))))))
          (buffer-string))
      (delete-file errors))))

(defun agent--skills-state ()
  "Return the threads and the skills that can be bound."
  (json-parse-string (agent--skilltree "agent" "thread" "list" "--user-roots" "--format" "json")
                     :object-type 'plist :array-type 'list :null-object nil))

(defun agent-activate-thread (id)
  "Make the thread ID the active one."
  (agent--skilltree "agent" "thread" "activate" id))

(defun agent-bind-skill-to-thread (skill-name &optional thread-id)
  "Bind SKILL-NAME to THREAD-ID (default: active thread)."
  (apply #'agent--skilltree "agent" "thread" "bind" "--user-roots"
         (append (when thread-id (list "--thread" thread-id)) (list skill-name)))
  (format "Bound skill '%s' to thread '%s'" skill-name (or thread-id (plist-get (agent--skills-state) :active))))

(defun agent-unbind-skill-from-thread (skill-name &optional thread-id)
  "Unbind SKILL-NAME from THREAD-ID (default: active thread)."
  (apply #'agent--skilltree "agent" "thread" "unbind"
         (append (when thread-id (list "--thread" thread-id)) (list skill-name)))
  (format "Unbound skill '%s' from thread '%s'" skill-name (or thread-id (plist-get (agent--skills-state) :active))))

(defun agent-list-available-skills ()
  "Return list of available skill names (excludes `core')."
  (mapcar (lambda (skill) (plist-get skill :name)) (plist-get (agent--skills-state) :available)))

(defun agent-list-skills-with-descriptions ()
  "Return alist of (skill-name . description) for all skills."
  (mapcar (lambda (skill)
            (cons (plist-get skill :name)
                  (if (string-empty-p (plist-get skill :description)) "No description" (plist-get skill :description))))
          (plist-get (agent--skills-state) :available)))

(defun agent-thread-bound-skills (&optional thread-id)
  "Return list of skills bound to THREAD-ID (default: active thread)."
  (let* ((state (agent--skills-state))
         (id (or thread-id (plist-get state :active))))
    (plist-get (seq-find (lambda (thread) (equal (plist-get thread :id) id)) (plist-get state :threads)) :skills)))

(defun agent--load-thread-skills ()
  "Return the section of the active thread, or nil."
  (let ((section (agent--skilltree "prompt" "--profile" "amacs" "--thread" "--user-roots" "--quiet")))
    (unless (string-empty-p section) section)))

(provide 'agent-skills)
;;; agent-skills.el ends here
