/** Trying again: how long to wait, and what is worth another try. */

const FIRST = 500;
const LONGEST = 15_000;

/** Milliseconds before try number `attempt` (0 is the first repeat): doubling, with up to half of it by chance. */
export function delay(attempt, chance = Math.random()) {
  const whole = Math.min(FIRST * 2 ** attempt, LONGEST);
  return Math.round(whole / 2 + (whole / 2) * chance);
}

/** Statuses that say nothing about the request itself; 0 means that no answer came. */
export const passing = (status) => [0, 429, 502, 503, 504].includes(status);

/**
 * Ask until there is an answer to the question itself; what is thrown then is a refusal, or the last failure when
 * giving up: after `tries`, at a status that is not worth trying `again`, or when `stopped()`.
 *
 * `ask` must be safe to repeat (the same request key each time); `waiting(error)` is told of each failure.
 */
export async function untilAnswered(
  ask,
  { tries = Infinity, again = passing, waiting = () => {}, stopped = () => false, pause = sleep } = {},
) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (problem) {
      if (!again(problem.status) || attempt + 1 >= tries || stopped()) throw problem;
      waiting(problem);
      await pause(Math.max(delay(attempt), (problem.retryAfter ?? 0) * 1000));
      if (stopped()) throw problem;
    }
  }
}

function sleep(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
