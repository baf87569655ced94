/** The language of the client: chosen by hand, or else by the server from what the browser asks for. */

import { use } from "./i18n.js";
import { keep, kept } from "./shelf.js";

/** Every language under its own name. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  it: "Italiano",
  pt: "Português",
  nl: "Nederlands",
  pl: "Polski",
  sv: "Svenska",
  da: "Dansk",
  nb: "Norsk bokmål",
  fi: "Suomi",
  tr: "Türkçe",
};

const SHELF = "language";
const YEAR = 31_536_000; // seconds
const root = globalThis.document?.documentElement;

/** The language that the page is in. */
export const current = () => root.lang;

/** Speak the language that was chosen, or English where its catalog cannot be had. */
export async function begin() {
  const chosen = kept(SHELF);
  await speak(chosen in LANGUAGES ? chosen : root.lang).catch(() => speak("en"));
}

/** Change the language by hand, and keep the choice: here, and in a cookie that the server picks the page by. */
export async function choose(language) {
  if (!(await speak(language))) return;
  keep(SHELF, language);
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `wordyard_language=${language}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
}

let wishes = 0;

/** Speak this language, unless another one was asked for before its catalog was here; answers whether we do. */
async function speak(language) {
  const wish = (wishes += 1);
  const [own, english] = await Promise.all([catalog(language), catalog("en")]);
  if (wish !== wishes) return false;
  use(language, own, english);
  root.lang = language;
  return true;
}

const catalogs = new Map();

async function catalog(language) {
  if (!catalogs.has(language)) {
    const answer = await fetch(`/static/i18n/${language}.json`);
    if (!answer.ok) throw new Error(`no catalog: ${language}`);
    catalogs.set(language, await answer.json());
  }
  return catalogs.get(language);
}
