/*
 * The shell offline: pages and files come from the network when it answers, else from this release's copy.
 * The server fills in the release (a hash of the folder) and the list of files. Nothing of the API is kept.
 */

const RELEASE = "__RELEASE__";
const FILES = __FILES__;

const CACHE = `wordyard-${RELEASE}`;
const PATIENCE = 3000; // milliseconds before a copy is better than waiting

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(CACHE).then(async (cache) => {
      await cache.addAll(["/", ...FILES]);
      await self.skipWaiting();
    }),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then(async (names) => {
      await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
      await self.clients.claim();
    }),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (isPage(url.pathname)) event.respondWith(fresh(request, "/"));
  } else if (FILES.includes(url.pathname)) {
    event.respondWith(fresh(request, url.pathname));
  }
});

const isPage = (path) => !/^\/(api|schema|health|metrics|static|vendor)(\/|$)/.test(path);

async function fresh(request, key) {
  const copy = await caches.match(key, { cacheName: CACHE });
  const network = fetch(request);
  if (!copy) return network;
  const late = new Promise((resolve) => {
    setTimeout(resolve, PATIENCE, copy);
  });
  return Promise.race([network.catch(() => copy), late]);
}
