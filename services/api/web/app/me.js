/** Who plays in this browser. Opening a page makes nobody: a guest is made on the first deliberate action. */

import { get, patch, post, remove, trust } from "./api.js";

export const me = { player: null, email: null, settings: { filter: true }, known: false };

/** Ask the server who we are. */
export async function load() {
  const answer = await get("/me");
  trust(answer.csrf);
  Object.assign(me, { player: answer.player, email: answer.email ?? null, known: true });
  Object.assign(me.settings, answer.settings);
}

/** A player to act as: the one we are, or a new guest. */
export async function ensure() {
  if (!me.known) await load();
  if (me.player) return me.player;
  const { player, csrf } = await post("/session/guest");
  trust(csrf);
  me.player = player;
  return player;
}

/** Signed in to an account: an answer of the sign-in says who we are now. */
export async function became({ csrf }) {
  trust(csrf);
  await load();
}

/** Change the display name or the chat filter. */
export async function change(fields) {
  await patch("/me", fields);
  await load();
}

export async function signOut() {
  await remove("/session");
  forget();
}

/** Delete the account; its name confirms it. */
export async function leave(name) {
  await remove("/me", { name });
  forget();
}

function forget() {
  trust(null);
  Object.assign(me, { player: null, email: null });
  me.settings.filter = true;
}
