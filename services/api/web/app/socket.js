/** One game's live feed: views in order and each once, reconnecting for as long as the page wants it. */

import { delay } from "./patience.js";

/** Does a message bring a view that is newer than the last one taken? */
export const isNewer = (last, message) => message.type === "view" && message.version > (last ?? 0);

/** The address of a game's feed; with the last version that we have, what came after it is sent first. */
export function address(game, last, { protocol, host }) {
  const after = last === null ? "" : `?after=${last}`;
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}/api/v1/games/${game}/live${after}`;
}

const SESSION_ENDED = 4001;

/**
 * Keep a feed open. `heard(message)` gets new views and everything else; `state(name)` gets "live", "lost" or
 * "ended"; `last()` gives the newest version that the page has, which another answer may have brought.
 */
export function follow(
  game,
  { heard, state, last, place = location, Socket = WebSocket, timers = globalThis },
) {
  let socket = null;
  let attempt = 0;
  let timer = null;
  let over = false;

  function open() {
    timer = null;
    const opened = new Socket(address(game, last(), place));
    socket = opened;
    opened.onopen = () => {
      attempt = 0;
      state("live");
    };
    opened.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type !== "view" || isNewer(last(), message)) heard(message);
    };
    opened.onclose = ({ code }) => {
      if (over || opened !== socket) return;
      socket = null;
      if (code === SESSION_ENDED) {
        over = true;
        state("ended");
        return;
      }
      state("lost");
      timer = timers.setTimeout(open, delay(attempt));
      attempt += 1;
    };
  }

  open();
  return {
    /** Try at once instead of waiting for the next try: the network is back, or somebody looks again. */
    hurry() {
      if (over || socket) return;
      timers.clearTimeout(timer);
      attempt = 0;
      open();
    },
    close() {
      over = true;
      timers.clearTimeout(timer);
      socket?.close();
    },
  };
}
