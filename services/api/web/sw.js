/*
 * The shell offline: pages and files come from the network when it answers, else from this release's copy. And notices.
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

self.addEventListener("push", (event) => {
  const told = read(event.data);
  if (!told) return;
  const { title, text, language, path, tag } = told;
  const options = { body: text, lang: language, tag, icon: "/static/icons/icon.svg", data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path));
});

function read(data) {
  try {
    return data.json();
  } catch {
    return null; // nothing that we have sent
  }
}

/** A page of ours: the window that shows it, else a new one. */
async function show(path) {
  const url = new URL(path ?? "/", self.location.origin);
  if (url.origin !== self.location.origin) return;
  const open = await self.clients.matchAll({ type: "window" });
  const there = open.find((client) => client.url === url.href);
  if (there) await there.focus();
  else await self.clients.openWindow(url.href);
}

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
