/** The few fetches: JSON in, JSON out; a refusal is thrown as a `Problem` with its stable code. */

import { ahead, settle } from "./countdown.js";

const BASE = "/api/v1";
const LIMIT = 10_000; // milliseconds for one answer; the server's own budget is 2 s

let csrf = null;
let clock = 0;

/** What went wrong: `status` 0 and code `offline` mean that no answer came. Other fields of the answer are `facts`. */
export class Problem extends Error {
  constructor(status, facts, retryAfter = null) {
    super(facts.code);
    this.status = status;
    this.code = facts.code;
    this.facts = facts;
    this.retryAfter = retryAfter;
  }
}

/** The server's time in milliseconds, by our clock and the answers seen so far. */
export const serverNow = () => Date.now() + clock;

/** The value that shows that a request comes from our own page. */
export function trust(value) {
  csrf = value;
}

/** A new request key: 32 hexadecimal digits by chance. (`randomUUID` is missing on plain http.) */
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

export const get = (path) => call("GET", path);
export const post = (path, body = {}, key = newKey()) => call("POST", path, body, key);
export const put = (path, body) => call("PUT", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path, body) => call("DELETE", path, body);

/** Ask something that changes nothing; given up by its signal, it throws the signal's reason. */
export const query = (path, body, signal) => call("POST", path, body, null, signal);

async function call(method, path, body, key, signal) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && csrf) headers["X-CSRF-Token"] = csrf;
  if (key) headers["Idempotency-Key"] = key;
  const sent = Date.now();
  const answer = await reach(BASE + path, { method, headers, body: body && JSON.stringify(body) }, signal);
  clock = settle(clock, ahead(answer.headers.get("Date"), sent, Date.now()));
  if (!answer.ok) throw await problemOf(answer);
  return answer.status === 204 ? null : answer.json();
}

async function reach(url, request, given) {
  const limit = AbortSignal.timeout(LIMIT);
  try {
    return await fetch(url, { ...request, signal: given ? AbortSignal.any([limit, given]) : limit });
  } catch {
    given?.throwIfAborted();
    throw new Problem(0, { code: "offline" });
  }
}

async function problemOf(answer) {
  const facts = await answer.json().catch(() => ({}));
  const retryAfter = Number(answer.headers.get("Retry-After")) || null;
  return new Problem(answer.status, { code: "trouble", ...facts }, retryAfter);
}

/** A file as text. */
export async function text(path) {
  const answer = await reach(path, {});
  if (!answer.ok) throw await problemOf(answer);
  return answer.text();
}

/** A plain list of words, one on a line. */
export const words = async (path) => (await text(path)).split("\n").filter(Boolean);
