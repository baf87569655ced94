/** Something a person asks for by a button: busy while under way, and one request key for the same wish. */

import { newKey, post } from "./api.js";
import { ensure } from "./me.js";
import { passing, untilAnswered } from "./patience.js";

const TRIES = 3;
const again = (status) => passing(status) && status !== 429; // a limit is told at once, not waited for

/** An action for one button. `run(path, body)` gives the answer, or null with `problem` set. */
export function action(app) {
  let key = null;
  let asked = null;
  const act = { busy: false, problem: null, run, attempt };
  return act;

  /** Post as the player in this browser, who is made a guest if there is none. */
  function run(path, body = {}) {
    const wish = path + JSON.stringify(body);
    if (wish !== asked) [key, asked] = [newKey(), wish];
    return attempt(async () => {
      await ensure();
      return post(path, body, key);
    });
  }

  /** Ask, up to three times while no answer comes; a second press meanwhile does nothing. */
  async function attempt(ask) {
    if (act.busy) return null;
    Object.assign(act, { busy: true, problem: null });
    app.paint();
    try {
      return await untilAnswered(ask, { tries: TRIES, again });
    } catch (problem) {
      if (!problem.code) throw problem;
      act.problem = problem;
      return null;
    } finally {
      act.busy = false;
      app.paint();
    }
  }
}
