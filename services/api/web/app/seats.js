/** Where one sits down: how to look at a game, how to guess in it, and what of it is one's own. */

import { get, post, serverNow } from "./api.js";
import { closeOf, easternDay } from "./eastern.js";
import { ensure } from "./me.js";

/**
 * A duel. `shelf(view)` names the place for a guess on its way, `look(view)` gives the newest view, `send(word, key,
 * view)` that after a guess, `guesses(view)` are the own ones, and `feed(view)` is the game to follow live, or null.
 */
export const duelSeat = (id) => ({
  shelf: () => `guess.${id}`,
  look: () => get(`/games/${id}`),
  send: (word, key) => post(`/games/${id}/guesses`, { word }, key),
  guesses: (view) => view.you.guesses,
  feed: () => id,
});

/** The Daily of a day, or today's. Once it is seen it stays that day's, also after midnight: so do its guesses. */
export function dailySeat(me, asked = null) {
  return {
    shelf: ({ day }) => `guess.daily.${day}`,
    look(view) {
      const day = view?.day ?? asked;
      if (!me.player) return unseated(day ?? easternDay(serverNow()));
      return get(day ? `/daily/${day}` : "/daily");
    },
    async send(word, key, { day }) {
      await ensure();
      return post("/daily/guesses", { word, day }, key);
    },
    guesses: (view) => view.guesses,
    feed: ({ id, state }) => (state === "open" ? id : null),
  };
}

/** What anybody may see: nobody is made a guest by looking. */
async function unseated(day) {
  const proof = await get(`/daily/${day}/verify`).catch((problem) => {
    if (problem.code === "unknown_day" && day === easternDay(serverNow())) return {}; // not announced yet
    throw problem;
  });
  const closes = closeOf(day);
  return {
    id: null,
    kind: "daily",
    state: serverNow() < closes ? "open" : "closed",
    day,
    closes_at: new Date(closes).toISOString(),
    version: 0,
    guesses: [],
    elapsed_ms: null,
    word: proof.word ?? null,
    commitment: proof.commitment ?? null,
  };
}
