/** What the page of a game does while it is open: it ticks, looks again when one comes back, and lets an end be seen. */

const SECOND = 1000;
const LAST_ROW = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 2 * SECOND;

/** `tick()` is called each second, `back()` when the page is seen or online again; `leave()` ends both. */
export function presence({ tick, back }) {
  const ticking = setInterval(tick, SECOND);
  addEventListener("online", returned);
  document.addEventListener("visibilitychange", returned);
  return { leave };

  function returned() {
    if (document.visibilityState === "visible") back();
  }

  function leave() {
    clearInterval(ticking);
    removeEventListener("online", returned);
    document.removeEventListener("visibilitychange", returned);
  }
}

/**
 * Hold the result back (`play.held`) until the last row, if there is a `newRow`, has been seen. Then its `heading`
 * takes the focus, unless something else has it.
 */
export function hold(app, play, heading, newRow = true) {
  play.held = true;
  setTimeout(
    () => {
      play.held = false;
      app.paint();
      setTimeout(() => document.activeElement.matches("body, h1") && document.querySelector(heading)?.focus());
    },
    newRow ? LAST_ROW : 0,
  );
}
