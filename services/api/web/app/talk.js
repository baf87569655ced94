/** The chat of one game: messages, what is unread, and what a reader may do about them. */

import { get, post } from "./api.js";
import { keep, kept } from "./shelf.js";

/**
 * Join the chat of a game. `own()` is our id at this table; `changed()` asks for painting; `said(message)` is told of
 * each new message from the other.
 */
export function join(id, { own, changed, said }) {
  const shelf = `read.${id}`;
  const told = `reported.${id}`;
  const talk = {
    messages: [],
    open: false, // the drawer
    openUntil: null,
    muted: false,
    problem: null,
    unread,
    load,
    heard,
    say,
    mute,
    report,
    isReported,
    show,
    isMine,
  };
  return talk;

  async function load() {
    try {
      const { messages, open_until, muted } = await get(`/games/${id}/chat`);
      Object.assign(talk, { messages: merged(messages), openUntil: open_until, muted, problem: null });
    } catch (problem) {
      if (!problem.code) throw problem;
      talk.problem = problem;
    }
    mark();
    changed();
  }

  /** A message of the feed: one more line, or all of them gone at midnight. */
  function heard({ type, message }) {
    if (type === "chat_cleared") Object.assign(talk, { messages: [], openUntil: null });
    if (type === "chat") {
      const known = talk.messages.some((one) => one.id === message.id);
      talk.messages = merged([message]);
      if (!known && !isMine(message) && !talk.muted) said(message);
    }
    mark();
    changed();
  }

  function merged(news) {
    const byId = new Map([...talk.messages, ...news].map((message) => [message.id, message]));
    return [...byId.values()].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  }

  function isMine(message) {
    return message.player.id === own();
  }

  function unread() {
    const read = kept(shelf) ?? "";
    return talk.muted ? 0 : talk.messages.filter((message) => !isMine(message) && message.at > read).length;
  }

  function mark() {
    if (talk.open && talk.messages.length) keep(shelf, talk.messages.at(-1).at);
  }

  function show(open) {
    talk.open = open;
    mark();
    changed();
  }

  /** Say something; throws a `Problem`. The same key for the same text makes a repeat harmless. */
  async function say(text, key) {
    heard({ type: "chat", message: await post(`/games/${id}/chat`, { text }, key) });
  }

  async function mute(muted) {
    await post(`/games/${id}/chat/mute`, { muted });
    talk.muted = muted;
    changed();
  }

  async function report(message) {
    await post(`/games/${id}/chat/${message.id}/report`);
    keep(told, [...(kept(told) ?? []), message.id]);
    changed();
  }

  function isReported(message) {
    return (kept(told) ?? []).includes(message.id);
  }
}
