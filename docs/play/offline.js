// Keeps the playground for use without a network: each file comes from the network, and from the cache if there is none.
const CACHE = "skilltree-play";
const FILES = ["./", "play.css", "play.js", "editor.js", "worker.js", "skilltree.js", "skilltree_bg.wasm", "../assets/favicon.svg"];

oninstall = (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(fetch(event.request).then(async (response) => {
    if (response.ok) await (await caches.open(CACHE)).put(event.request, response.clone());
    return response;
  }, async (error) => await caches.match(event.request, { ignoreSearch: true }) ?? Promise.reject(error)));
};
