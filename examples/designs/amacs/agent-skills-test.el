;;; agent-skills-test.el --- The five scenarios of IMP-023 -*- lexical-binding: t -*-

;;; Commentary:

;; SKILLTREE=target/debug/skilltree emacs -Q --batch -l examples/designs/amacs/agent-skills.el \
;;   -l examples/designs/amacs/agent-skills-test.el -f ert-run-tests-batch-and-exit

;;; Code:

(require 'ert)

(defun test-write-skill (directory name &optional body)
  "Write a skill NAME below DIRECTORY, with this BODY."
  (let ((place (expand-file-name name directory)))
    (make-directory place t)
    (with-temp-file (expand-file-name "SKILL.md" place)
      (insert (format "---\nname: %s\ndescription: Does %s. Use when asked.\n---\n# %s\n\n%s\n" name name name (or body "Do it."))))))

(defmacro test-with-home (&rest body)
  "Run BODY in a home directory as the set-up of the design leaves it: `core' is a link, and nothing is in Git."
  `(let* ((home (file-name-as-directory (make-temp-file "amacs" t)))
          (process-environment (cons (concat "HOME=" (directory-file-name home)) process-environment))
          (skills (expand-file-name ".agent/skills/" home))
          (project (expand-file-name "amacs/skills/" home))
          (work (expand-file-name "work/" home))
          (default-directory work))
     (unwind-protect
         (progn
           (make-directory skills t)
           (make-directory work t)
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
   (should-not (agent-thread-bound-skills))
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
   (should (equal (agent-thread-bound-skills) '("rust-mode")))
   (should (equal (agent-thread-bound-skills "B") '("python-mode")))
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
   (should-not (agent--load-thread-skills))
   ;; Another thread than the active one.
   (agent-bind-skill-to-thread "rust-mode")
   (agent-bind-skill-to-thread "rust-mode" "B")
   (should (equal (agent-unbind-skill-from-thread "rust-mode" "B") "Unbound skill 'rust-mode' from thread 'B'"))
   (should (equal (agent-thread-bound-skills "A") '("rust-mode")))
   (should-not (agent-thread-bound-skills "B"))))

(ert-deftest bind-nonexistent-skill ()
  (test-with-home
   (let ((no-thread (should-error (agent-bind-skill-to-thread "rust-mode"))))
     (should (equal (cadr no-thread) "No active thread to bind skill to")))
   (agent-activate-thread "A")
   (let ((missing (should-error (agent-bind-skill-to-thread "nonexistent"))))
     (should (equal (cadr missing) "Skill 'nonexistent' not found")))
   (should-not (agent-thread-bound-skills))))

(ert-deftest bindings-travel-with-threads ()
  (test-with-home
   (let ((here (expand-file-name "here/" home)) (there (expand-file-name "there/" home)))
     (mapc #'make-directory (list here there))
     (let ((default-directory here))
       (agent-activate-thread "T")
       (agent-bind-skill-to-thread "rust-mode"))
     (let ((default-directory there))
       (should (equal (agent-thread-bound-skills) '("rust-mode")))
       (should (string-match-p "### rust-mode" (agent--load-thread-skills))))
     (let ((default-directory (expand-file-name "removed/" home)))
       (should (equal (agent-thread-bound-skills) '("rust-mode"))))
     (should-not (directory-files here nil "^[^.]\\|^\\.agent"))
     (should (file-exists-p (expand-file-name ".agent/threads.json" home))))))

(ert-deftest bind-says-what-does-not-load ()
  (test-with-home
   (test-write-skill skills "big" (make-string 6200 ?x))
   (agent-activate-thread "T")
   (let ((told (agent-bind-skill-to-thread "big")))
     (should (string-prefix-p "Bound skill 'big' to thread 'T'\nwarning: `big` is bound but does not load: " told)))
   (should-not (agent--load-thread-skills))
   (agent-unbind-skill-from-thread "big")
   (test-write-skill skills "fourth")
   (dolist (name '("rust-mode" "python-mode" "chat"))
     (should-not (string-match-p "warning" (agent-bind-skill-to-thread name))))
   (should (string-match-p "\nwarning: `rust-mode` is bound but does not load: " (agent-bind-skill-to-thread "fourth")))
   ;; The name in the front matter means nothing to AMACS.
   (test-write-skill skills "other")
   (with-temp-file (expand-file-name "other/SKILL.md" skills)
     (insert "---\nname: Another Name\ndescription: Does it. Use when asked.\n---\nLoads.\n"))
   (agent-activate-thread "U")
   (should (equal (agent-bind-skill-to-thread "other") "Bound skill 'other' to thread 'U'"))
   (should (string-match-p "### other\n\nLoads\\." (agent--load-thread-skills)))))

(ert-deftest describe-and-load-one-skill ()
  (test-with-home
   (should (equal (agent-describe-skill "chat") "Does chat. Use when asked."))
   (should (equal (agent--load-skill-content "chat") "# chat\n\nDo it.\n"))
   (should-not (agent-describe-skill "nonexistent"))
   (should-not (agent--load-skill-content "nonexistent"))))

;;; agent-skills-test.el ends here
