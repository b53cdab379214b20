// Checks files: one request at a time, each answered with its number. The page stops it if it takes too long.
import init, { answer } from "./skilltree.js";

// The first check parses the profiles of all runtimes: it is part of the start, without a limit.
const FIRST = JSON.stringify({ files: [{ path: ".claude/skills/a/SKILL.md", text: "---\nname: a\ndescription: A\n---\n" }] });
const ready = init({ module_or_path: new URL("skilltree_bg.wasm", import.meta.url) }).then(() => answer(FIRST));
ready.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));
// The page asks once this is ready. A check that fails is an error of the worker, which the page reports.
onmessage = ({ data: { number, request } }) => postMessage({ number, answer: answer(request) });
