// Checks files: one request at a time, each answered with its number. The page stops it if it takes too long.
import init, { answer } from "./skilltree.js";

const ready = init();
ready.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));
onmessage = async ({ data: { number, request } }) => {
  await ready;
  postMessage({ number, answer: answer(request) });
};
