/** How long a Daily took, in words. Milliseconds come in; they are cut off, never rounded up. */

import { decimal, t } from "./i18n.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The time of a finished game, to a tenth of a second: "0.0 s", "1 min 04.2 s". */
export const took = (ms) => told(ms, (seconds) => decimal(Math.floor(seconds * 10) / 10));

/** A clock that is running, in whole seconds: "42 s". */
export const running = (ms) => told(ms, (seconds) => String(Math.floor(seconds)));

function told(ms, written) {
  const [hours, minutes] = [Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE)];
  const rest = ms % MINUTE;
  const seconds = written(rest / SECOND);
  if (hours + minutes === 0) return t("time.seconds", { seconds });
  const padded = rest < 10 * SECOND ? `0${seconds}` : seconds;
  if (hours === 0) return t("clock.minutes", { minutes, seconds: padded });
  return t("time.hours", { hours, minutes: String(minutes).padStart(2, "0"), seconds: padded });
}
