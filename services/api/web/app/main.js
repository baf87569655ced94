/** Wires address, page and painting: every change ends in one `paint()`. */

import { render } from "/vendor/lit-html.js";
import { begin } from "./languages.js";
import { load, me } from "./me.js";
import { shell } from "./parts/shell.js";
import { lost, routes } from "./pages/index.js";
import { match } from "./routes.js";

const root = document.getElementById("app");
const heard = []; // what was said lately, for screen readers
let said = 0;
let page = null;
let left = null; // what had the focus on the page before, until the heading of the new one takes it
let toast = null;
let due = false;

/** What a page may use of the application. */
const app = {
  me,
  /** Paint again, soon and once however often it is asked for. */
  paint() {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      draw();
    });
  },
  /** Begin the page that is shown anew. */
  reopen: () => open(),
  /** Show another page. */
  go(path, { replace = false } = {}) {
    history[replace ? "replaceState" : "pushState"](null, "", path);
    open();
    scrollTo(0, 0);
    arrive();
  },
  /** Say something to a screen reader. */
  say(text) {
    heard.push({ id: (said += 1), text });
    if (heard.length > 6) heard.shift();
    app.paint();
  },
  /** Show a short note that goes by itself. */
  note(text) {
    clearTimeout(toast?.timer);
    toast = { text, timer: setTimeout(() => ((toast = null), app.paint()), 5000) };
    app.paint();
  },
};

function open() {
  page?.close?.();
  const found = match(routes, location.pathname) ?? { page: lost, params: {} };
  page = found.page(app, { ...found.params, query: new URLSearchParams(location.search) });
  draw();
}

function draw() {
  const title = page.title();
  document.title = title ? `${title} · Wordyard` : "Wordyard";
  render(shell(app, page, { heard, toast }), root);
  page.painted?.();
  if (left) focusHeading();
}

/** Begin at the heading of the new page, as soon as it has one. */
function arrive() {
  left = document.activeElement ?? document.body;
  focusHeading();
}

function focusHeading() {
  const heading = root.querySelector("main h1");
  if (!heading) return;
  const stayed = [left, document.body].includes(document.activeElement);
  left = null;
  if (!stayed) return;
  heading.setAttribute("tabindex", "-1");
  heading.focus({ preventScroll: true });
}

function isOurs(link, event) {
  const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  const stays = link.origin === location.origin && !link.target && !link.hasAttribute("download");
  return plain && stays && match(routes, link.pathname) !== null;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || link.getAttribute("href").startsWith("#") || !isOurs(link, event))
    return;
  event.preventDefault();
  app.go(link.pathname + link.search + link.hash);
});
document.addEventListener("keydown", (event) => page?.key?.(event));
addEventListener("online", () => me.known || load().then(open, () => {}));
addEventListener("popstate", () => {
  open();
  arrive();
});

async function start() {
  await Promise.all([begin(), load().catch(() => {})]);
  open();
  navigator.serviceWorker?.register("/sw.js").catch(() => {});
}

start();
