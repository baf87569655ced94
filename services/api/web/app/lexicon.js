/** The public list of words that may be a secret, fetched once and only when a word is to be picked. */

import { get, words } from "./api.js";

let asked = null;

/** All possible secrets in alphabetical order, lower case. Throws a `Problem`; the next call asks again. */
export function secrets() {
  asked ??= load().catch((problem) => {
    asked = null;
    throw problem;
  });
  return asked;
}

async function load() {
  const lists = await get("/words");
  return words(lists.secrets.url);
}

/** One of the words by chance. */
export function suggestion(list) {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return list[number % list.length];
}

/** What to say of a half-typed secret: `short`, `letters`, `good` or `unlisted`. */
export function verdict(text, list) {
  const word = text.trim().toLowerCase();
  if (!/^[a-zA-Z]*$/.test(text.trim())) return "letters";
  if (word.length < 5) return "short";
  return list.includes(word) ? "good" : "unlisted";
}
