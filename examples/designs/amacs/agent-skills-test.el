;;; agent-skills-test.el --- The five scenarios of IMP-023 -*- lexical-binding: t -*-

;;; Commentary:

;; SKILLTREE=target/debug/skilltree emacs -Q --batch -l examples/designs/amacs/agent-skills.el \
;;   -l examples/designs/amacs/agent-skills-test.el -f ert-run-tests-batch-and-exit

;;; Code:

(require 'ert)

(defun test-write-skill (directory name)
  "Write a skill NAME below DIRECTORY."
  (let ((place (expand-file-name name directory)))
    (make-directory place t)
    (with-temp-file (expand-file-name "SKILL.md" place)
      (insert (format "---\nname: %s\ndescription: Does %s. Use when asked.\n---\n# %s\n\nDo it.\n" name name name)))))

(defmacro test-with-home (&rest body)
  "Run BODY in a home directory as the set-up of the design leaves it: `core' is a link, and nothing is in Git."
  `(let* ((home (file-name-as-directory (make-temp-file "amacs" t)))
          (process-environment (cons (concat "HOME=" (directory-file-name home)) process-environment))
          (skills (expand-file-name ".agent/skills/" home))
          (project (expand-file-name "amacs/skills/" home))
          (default-directory (expand-file-name "work/" home)))
     (unwind-protect
         (progn
           (make-directory skills t)
           (make-directory default-directory t)
           (test-write-skill project "core")
           (test-write-skill project "chat")
           (make-symbolic-link (expand-file-name "core" project) (expand-file-name "core" skills))
           (make-symbolic-link (expand-file-name "chat" project) (expand-file-name "chat" skills))
           (test-write-skill skills "rust-mode")
           (test-write-skill skills "python-mode")
           (test-write-skill skills ".hidden")
           ,@body)
       (delete-directory home t))))

(ert-deftest bind-skill-to-thread ()
  (test-with-home
   (agent-activate-thread "rust-debugging")
   (should-not (agent--load-thread-skills))
   (should (equal (agent-bind-skill-to-thread "rust-mode") "Bound skill 'rust-mode' to thread 'rust-debugging'"))
   (should (equal (agent-thread-bound-skills) '("rust-mode")))
   (should (string-match-p "\\`## Thread Skills\n\n### rust-mode\n\n ?# rust-mode\n\nDo it\\." (agent--load-thread-skills)))
   (agent-bind-skill-to-thread "chat")
   (should (equal (agent-thread-bound-skills) '("chat" "rust-mode")))
   (should (string-match-p "### chat\n\n ?# chat\n\nDo it\\.\n\n---\n\n### rust-mode" (agent--load-thread-skills)))))

(ert-deftest switch-threads-changes-skills ()
  (test-with-home
   (agent-bind-skill-to-thread "rust-mode" "A")
   (agent-bind-skill-to-thread "python-mode" "B")
   (agent-activate-thread "A")
   (should (string-match-p "### rust-mode" (agent--load-thread-skills)))
   (agent-activate-thread "B")
   (should (string-match-p "### python-mode" (agent--load-thread-skills)))
   (should-not (string-match-p "rust-mode" (agent--load-thread-skills)))))

(ert-deftest skill-discovery-excludes-core ()
  (test-with-home
   (should (equal (agent-list-available-skills) '("chat" "python-mode" "rust-mode")))
   (should (equal (alist-get "chat" (agent-list-skills-with-descriptions) nil nil #'equal) "Does chat. Use when asked."))))

(ert-deftest unbind-removes-from-context ()
  (test-with-home
   (agent-activate-thread "A")
   (agent-bind-skill-to-thread "rust-mode")
   (should (equal (agent-unbind-skill-from-thread "rust-mode") "Unbound skill 'rust-mode' from thread 'A'"))
   (should-not (agent--load-thread-skills))))

(ert-deftest bind-nonexistent-skill ()
  (test-with-home
   (let ((no-thread (should-error (agent-bind-skill-to-thread "rust-mode"))))
     (should (string-match-p "No active thread to bind skill to" (cadr no-thread))))
   (agent-activate-thread "A")
   (let ((missing (should-error (agent-bind-skill-to-thread "nonexistent"))))
     (should (string-match-p "Skill 'nonexistent' not found" (cadr missing))))))

;;; agent-skills-test.el ends here
