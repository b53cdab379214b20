// Starts `skilltree lsp` and shows the forecast of a skill. The server does the rest.
const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SCHEME = "skilltree-forecast";
// VS Code gives a SKILL.md the language `skill`: files are selected by their paths.
const FILES = [
  "**/SKILL.md",
  "**/skills/**/*.md",
  "**/skilltree.toml",
  "**/{plugin,marketplace}.json",
  "**/hooks/hooks.json",
  "**/agents/openai.yaml",
  "**/WORKFLOW.md",
];

let client;

/** The program: the setting of the user, else the one in the extension, else the one on the PATH. */
function program(context) {
  const set = vscode.workspace.getConfiguration("skilltree").get("path");
  const name = process.platform === "win32" ? "skilltree.exe" : "skilltree";
  const bundled = path.join(context.extensionPath, "bin", name);
  return set || (fs.existsSync(bundled) ? bundled : "skilltree");
}

async function start(context) {
  const hiddenRules = vscode.workspace.getConfiguration("skilltree").get("hiddenRules");
  const selector = FILES.map((pattern) => ({ scheme: "file", pattern }));
  client = new LanguageClient(
    "skilltree",
    { command: program(context), args: ["lsp"] },
    {
      documentSelector: [...selector, { scheme: "untitled", language: "skill" }, { scheme: "untitled", language: "markdown" }],
      initializationOptions: { hiddenRules, forecastCommand: "skilltree.showForecast" },
    },
  );
  await client.start();
}

exports.activate = async function (context) {
  const changed = new vscode.EventEmitter();
  const provideTextDocumentContent = async (uri) => {
    const result = await client.sendRequest("skilltree/forecast", { uri: uri.query });
    return result ? result.text : "This file is not a skill.";
  };
  const show = async (uri = vscode.window.activeTextEditor?.document.uri.toString()) => {
    const target = vscode.Uri.from({ scheme: SCHEME, path: "forecast", query: uri });
    changed.fire(target);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(target), { preview: true });
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, { onDidChange: changed.event, provideTextDocumentContent }),
    vscode.commands.registerCommand("skilltree.showForecast", show),
    vscode.commands.registerCommand("skilltree.restart", async () => {
      await client?.stop();
      await start(context);
    }),
  );
  await start(context);
};

exports.deactivate = () => client?.stop();
