import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { isFirstVisit, opened, wasOpened } from "../../services/api/web/app/first_visit.js";
import { forget } from "../../services/api/web/app/shelf.js";

const storage = new Map();
const store = {
  getItem: (key) => storage.get(key) ?? null,
  setItem: (key, value) => storage.set(key, value),
  removeItem: (key) => storage.delete(key),
};
const use = (localStorage) => Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });

beforeEach(() => {
  use(store);
  forget("daily.opened");
});

test("the first visit of a day is the first once", () => {
  assert.equal(isFirstVisit("2026-03-08"), true);
  assert.equal(isFirstVisit("2026-03-08"), false);
  assert.equal(isFirstVisit("2026-03-09"), true);
  assert.equal(isFirstVisit("2026-03-09"), false);
});

test("whoever has opened the Daily by hand is not sent there again", () => {
  opened("2026-03-08");
  assert.equal(wasOpened("2026-03-08"), true);
  assert.equal(isFirstVisit("2026-03-08"), false);
});

test("where nothing can be kept nobody is sent anywhere, else every visit would be the first", () => {
  const blocked = () => {
    throw new Error("blocked");
  };
  use({ getItem: blocked, setItem: blocked, removeItem: blocked });
  assert.equal(isFirstVisit("2026-03-08"), false);
  assert.equal(wasOpened("2026-03-08"), true);
});
