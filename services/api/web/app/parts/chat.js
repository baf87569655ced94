/** The chat drawer: what was said, a line to write, and each reader's own choices. */

import { html, nothing } from "/vendor/lit-html.js";
import { repeat } from "/vendor/directives/repeat.js";
import { newKey } from "../api.js";
import { clock, t } from "../i18n.js";
import { change } from "../me.js";
import { because, nameOf } from "../words.js";
import { block } from "./blocked.js";
import { submitting } from "./forms.js";
import * as icons from "./icons.js";

const LONGEST = 500; // code points

/** Opens the drawer; says how much is unread. */
export function chatButton(talk) {
  const unread = talk.unread();
  const label = unread ? t("chat.open_unread", { count: unread }) : t("chat.open");
  return html`<button type="button" class="tool chat-open" aria-label=${label} aria-expanded=${talk.open}
    @click=${() => toggle(talk)}>
    ${icons.chat()}<span class="chat-open-text">${t("chat.title")}</span>
    ${unread ? html`<span class="badge" aria-hidden="true">${unread}</span>` : nothing}
  </button>`;
}

/** Open or close the drawer; the focus goes with it. On a touch screen no keyboard jumps up. */
export function toggle(talk) {
  talk.show(!talk.open);
  const first = matchMedia("(pointer: fine)").matches ? "#chat-text" : ".chat .tool";
  setTimeout(() => document.querySelector(talk.open ? first : ".chat-open")?.focus());
}

export function chatDrawer(app, talk, view) {
  const name = nameOf(view.opponent.player);
  return html`<aside class="chat" aria-label=${t("chat.with", { name })}>
    <header>
      <h2>${t("chat.title")}</h2>
      <button type="button" class="tool" aria-label=${t("chat.close")} @click=${() => toggle(talk)}>
        ${icons.close()}
      </button>
    </header>
    <ul class="messages">
      ${talk.messages.length ? nothing : silence(talk)}
      ${repeat(
        shownMessages(talk),
        ({ id }) => id,
        (message) => line(app, talk, message),
      )}
    </ul>
    ${talk.openUntil ? writing(app, talk, name) : nothing}
    <footer>
      ${choice(t("chat.filter"), app.me.settings.filter, () => setFilter(app))}
      ${choice(t("chat.mute", { name }), talk.muted, () => tell(app, talk.mute(!talk.muted)))}
      <button type="button" class="button quiet small" @click=${() => tell(app, block(app, view.opponent.player))}>
        ${t("blocked.block_this", { name })}</button>
    </footer>
  </aside>`;
}

function silence({ problem, openUntil }) {
  if (problem) return html`<li class="failed">${because(problem)}</li>`;
  return html`<li class="hint">${t(openUntil ? "chat.empty" : "chat.closed")}</li>`;
}

const shownMessages = (talk) => talk.messages.filter((message) => !talk.muted || talk.isMine(message));

function line(app, talk, message) {
  const mine = talk.isMine(message);
  const text = app.me.settings.filter && !mine ? message.filtered : message.text;
  return html`<li class=${mine ? "mine" : "theirs"}>
    <span class="unseen">${mine ? t("chat.you") : nameOf(message.player)}:</span>
    <p>${text}</p>
    <small>${clock(message.at)}
      ${
        mine ? nothing : reporting(app, talk, message)
      }
    </small>
  </li>`;
}

/** The button stays when it has done its work: the focus has nowhere better to go. */
function reporting(app, talk, message) {
  const done = talk.isReported(message);
  const report = () => done || tell(app, talk.report(message), t("chat.reported"));
  return html`<button type="button" aria-disabled=${done} aria-label=${done ? nothing : t("chat.report_this")} @click=${report}>
    ${icons.flag()}${t(done ? "chat.reported_tag" : "chat.report")}
  </button>`;
}

function writing(app, talk, name) {
  const send = async (form) => {
    const field = form.elements.text;
    const text = field.value.trim();
    if (!text) return;
    if ([...text.normalize("NFC")].length > LONGEST) return app.note(t("problem.chat_too_long"));
    if (talk.sending?.text !== text) talk.sending = { text, key: newKey() };
    try {
      await talk.say(text, talk.sending.key);
      if (field.value.trim() === text) field.value = "";
      talk.sending = null;
    } catch (problem) {
      if (!problem.code) throw problem;
      app.note(because(problem));
    }
  };
  return html`<form class="writing" @submit=${submitting(send)}>
    <label class="unseen" for="chat-text">${t("chat.write", { name })}</label>
    <input class="text" id="chat-text" name="text" autocomplete="off" placeholder=${t("chat.write", { name })} />
    <button type="submit" class="button small">${t("chat.send")}</button>
  </form>`;
}

const choice = (label, on, flip) => html`<label class="switch">
  <input type="checkbox" role="switch" .checked=${on} @change=${flip} /><span>${label}</span>
</label>`;

function setFilter(app) {
  app.me.settings.filter = !app.me.settings.filter;
  app.paint();
  tell(app, change({ filter: app.me.settings.filter }));
}

async function tell(app, doing, done) {
  try {
    await doing;
    if (done) app.note(done);
  } catch (problem) {
    if (!problem.code) throw problem;
    app.note(because(problem));
  }
}
