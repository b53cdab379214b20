;;; agent-skills.el --- AMACS skill binding (IMP-023) on top of skilltree -*- lexical-binding: t -*-

;;; Commentary:

;; The functions of the design with their names and messages.  skilltree finds the skills in
;; ~/.agent/skills, keeps the bindings in ~/.agent/threads.json, and builds the section of the
;; active thread.  Skills travel with threads: the directory of the current buffer changes nothing.

;;; Code:

(require 'json)
(require 'seq)
(require 'subr-x)

(defvar agent-skilltree-program (or (getenv "SKILLTREE") "skilltree")
  "The program skilltree.")

(defvar agent-skills-directory nil
  "The directory whose .agent/threads.json has the bindings; nil for the home directory.")

(defvar agent--skilltree-messages nil
  "What the last run of skilltree told: lines of standard error.")

(defun agent--skilltree (&rest arguments)
  "Run skilltree with ARGUMENTS; return standard output, or signal its message."
  (let ((errors (make-temp-file "skilltree"))
        (default-directory (file-name-as-directory (expand-file-name (or agent-skills-directory "~")))))
    (unwind-protect
        (with-temp-buffer
          (let ((status (apply #'call-process agent-skilltree-program nil (list t errors) nil arguments)))
            (setq agent--skilltree-messages
                  (with-temp-buffer
                    (insert-file-contents errors)
                    (split-string (buffer-string) "\n" t)))
            (unless (equal status 0)
              ;; The words of the design: the first line, without the prefix of the program.
              (error "%s" (string-remove-prefix "error: " (or (car agent--skilltree-messages) "skilltree failed")))))
          (buffer-string))
      (delete-file errors))))

(defun agent--skills-state ()
  "Return the threads and the skills that can be bound."
  (json-parse-string (agent--skilltree "agent" "thread" "list" "--user" "--format" "json")
                     :object-type 'plist :array-type 'list :null-object nil))

(defun agent--thread (thread-id)
  "Return THREAD-ID, or the active thread."
  (or thread-id (plist-get (agent--skills-state) :active)))

(defun agent-activate-thread (id)
  "Make the thread ID the active one."
  (agent--skilltree "agent" "thread" "activate" id))

(defun agent-bind-skill-to-thread (skill-name &optional thread-id)
  "Bind SKILL-NAME to THREAD-ID (default: active thread).
The result also tells which skills of the thread do not load, and why."
  (apply #'agent--skilltree "agent" "thread" "bind" "--user"
         (append (when thread-id (list (concat "--thread=" thread-id))) (list "--" skill-name)))
  (let ((warnings (seq-filter (lambda (line) (string-prefix-p "warning: " line)) agent--skilltree-messages)))
    (string-join (cons (format "Bound skill '%s' to thread '%s'" skill-name (agent--thread thread-id)) warnings) "\n")))

(defun agent-unbind-skill-from-thread (skill-name &optional thread-id)
  "Unbind SKILL-NAME from THREAD-ID (default: active thread)."
  (apply #'agent--skilltree "agent" "thread" "unbind"
         (append (when thread-id (list (concat "--thread=" thread-id))) (list "--" skill-name)))
  (format "Unbound skill '%s' from thread '%s'" skill-name (agent--thread thread-id)))

(defun agent-list-available-skills ()
  "Return list of available skill names (excludes `core')."
  (mapcar (lambda (skill) (plist-get skill :name)) (plist-get (agent--skills-state) :available)))

(defun agent-describe-skill (skill-name)
  "Return description of SKILL-NAME from its front matter, or nil."
  (let* ((skills (plist-get (agent--skills-state) :available))
         (skill (seq-find (lambda (skill) (equal (plist-get skill :name) skill-name)) skills))
         (description (plist-get skill :description)))
    (unless (string-empty-p (or description "")) description)))

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

(defun agent--load-skill-content (skill-name)
  "Load SKILL.md content for SKILL-NAME: the body, without the front matter.  Returns string or nil."
  (condition-case nil
      (agent--skilltree "show" "--profile" "amacs" "--user" "--" skill-name)
    (error nil)))

(defun agent--load-thread-skills ()
  "Return the section of the active thread, or nil.
A skill of the thread that does not load is a message."
  (when (plist-get (agent--skills-state) :active)
    (let ((section (agent--skilltree "prompt" "--profile" "amacs" "--thread" "--user")))
      (dolist (line agent--skilltree-messages)
        (when (string-match-p "\\`\\(?:dropped\\|skipped\\) " line)
          (message "%s" line)))
      (unless (string-empty-p section) section))))

(provide 'agent-skills)
;;; agent-skills.el ends here
