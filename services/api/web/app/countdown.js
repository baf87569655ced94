/** Time left, and the difference between our clock and the server's. Milliseconds throughout. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How far the server's clock is ahead of ours, from an answer's Date header (whole seconds, rounded down). */
export function ahead(dateHeader, sent, received) {
  const server = Date.parse(dateHeader);
  if (Number.isNaN(server)) return null;
  return server + SECOND / 2 - (sent + received) / 2;
}

/** The better of two measures: a new one counts only if it cannot be the old one's rounding. */
export const settle = (known, measured) =>
  measured === null || Math.abs(measured - known) < SECOND ? known : Math.round(measured);

/** Milliseconds from `now` to an instant written in ISO 8601; never negative. */
export const left = (closesAt, now) => Math.max(Date.parse(closesAt) - now, 0);

/** Time left as a key of the catalog and its values: hours and minutes, then minutes and seconds. */
export function phrase(ms) {
  if (ms <= 0) return ["clock.closing", {}];
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  const seconds = Math.floor((ms % MINUTE) / SECOND);
  if (hours > 0) return ["clock.hours", { hours, minutes: String(minutes).padStart(2, "0") }];
  return ["clock.minutes", { minutes, seconds: String(seconds).padStart(2, "0") }];
}

/** Is it time to look at the clock closely? */
export const pressing = (ms) => ms < 10 * MINUTE;

/** The warning, in whole minutes, that was reached between two looks at the clock; or null. */
export const warning = (before, now) =>
  [10, 1].find((minutes) => before > minutes * MINUTE && now <= minutes * MINUTE && now > 0) ?? null;
