/** Questions that follow one another quickly: asked after a pause, and only the newest one's answer counts. */

import { untilAnswered } from "../patience.js";

const PAUSE = 150; // milliseconds without a new question

/**
 * `ask(question, signal)` fetches; `changed()` is told when `answer`, `problem` or `busy` have changed. An answer stays
 * until the next one is there. While the service cannot be reached it is asked again and again.
 */
export function asking({ ask, changed, pause = PAUSE, repeat = untilAnswered }) {
  let timer = null;
  let flight = null;
  const state = { question: null, answer: null, problem: null, busy: false, want, drop, hurry };
  return state;

  /** Ask this, unless it is what was asked last. */
  function want(question) {
    if (JSON.stringify(question) === JSON.stringify(state.question)) return;
    stop();
    Object.assign(state, { question, busy: true });
    timer = setTimeout(send, pause);
  }

  /** There is nothing to ask any more. */
  function drop() {
    stop();
    Object.assign(state, { question: null, answer: null, problem: null, busy: false });
  }

  /** The network is back: ask at once what is still open. */
  function hurry() {
    if (!state.busy) return;
    stop();
    send();
  }

  function stop() {
    clearTimeout(timer);
    flight?.abort();
    flight = null;
  }

  async function send() {
    const { question } = state;
    const own = new AbortController();
    flight = own;
    const stopped = () => own.signal.aborted;
    try {
      const answer = await repeat(() => ask(question, own.signal), { waiting: settle, stopped });
      if (!stopped()) Object.assign(state, { answer: { question, ...answer }, busy: false }), settle(null);
    } catch (problem) {
      if (stopped()) return;
      if (!problem.code) throw problem;
      Object.assign(state, { answer: null, busy: false });
      settle(problem);
    }

    function settle(problem) {
      if (stopped()) return;
      state.problem = problem;
      changed();
    }
  }
}
