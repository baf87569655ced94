/** What stands around every page: skip link, masthead, navigation, notes, and what screen readers are told. */

import { html, nothing } from "/vendor/lit-html.js";
import { repeat } from "/vendor/directives/repeat.js";
import { shownColours, switchColours } from "../colours.js";
import { t } from "../i18n.js";
import * as icons from "./icons.js";
import { languages } from "./languages.js";
import { logo } from "./logo.js";
import { more } from "./more.js";

const PLACES = [
  ["/", "nav.play", icons.home],
  ["/daily", "nav.daily", icons.calendar],
  ["/practice", "nav.practice", icons.target],
  ["/solver", "nav.solver", icons.sieve],
  ["/rivals", "nav.rivals", icons.rivals],
];
const MORE = [
  ["/history", "nav.history", icons.history],
  ["/how-to-play", "nav.help", icons.help],
  ["/about", "nav.about", icons.about],
];

export const shell = (app, page, { heard, toast }) => html`
  <a class="skip" href="#main" ?inert=${page.covered?.()} @click=${skip}>${t("nav.skip")}</a>
  <div class="frame ${page.wide ? "frame-table" : ""}">
    <header class="masthead" ?inert=${page.covered?.()}>
      <a class="brand" href="/" aria-label=${t("nav.home")}>${logo()}<span aria-hidden="true">Wordyard</span></a>
      <nav class="places" aria-label=${t("nav.main")}>
        ${PLACES.map(place)} ${more(MORE.map(place), MORE.some(isHere))}
      </nav>
      <div class="tools">${languages(app)}${colours(app)}${account(app)}</div>
    </header>
    <main id="main" tabindex="-1">${page.view()}</main>
  </div>
  <div class="notes" role="status">${toast ? html`<p class="note">${toast.text}</p>` : nothing}</div>
  <div class="unseen" role="log" aria-live="polite">
    ${repeat(
      heard,
      ({ id }) => id,
      ({ text }) => html`<p>${text}</p>`,
    )}
  </div>
`;

const isHere = ([path]) => location.pathname === path;

const place = ([path, key, icon]) =>
  html`<a href=${path} aria-current=${isHere([path]) ? "page" : nothing}>${icon()}<span>${t(key)}</span></a>`;

function colours(app) {
  const dark = shownColours() === "dark";
  const flip = () => {
    switchColours();
    app.paint();
  };
  return html`<button class="tool" type="button" @click=${flip} aria-label=${t(dark ? "nav.light" : "nav.dark")}>
    ${dark ? icons.sun() : icons.moon()}
  </button>`;
}

function account({ me }) {
  if (me.player && !me.player.guest) {
    return html`<a class="tool who" href="/account">${icons.person()}<span>${me.player.name}</span></a>`;
  }
  return html`<a class="tool who" href="/sign-in">${icons.person()}<span>${t("nav.sign_in")}</span></a>`;
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}
