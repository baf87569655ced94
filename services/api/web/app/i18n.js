/** Texts: `t(key, values)` from a flat catalog with one key per sentence; plural forms, numbers and dates by Intl. */

let locale, sentences, english, numbers, tenths;
use("en", {});

/** Use this catalog from now on; what it lacks is taken from the English one. */
export function use(language, catalog, fallback = catalog) {
  locale = language;
  sentences = { catalog, plurals: new Intl.PluralRules(language) };
  english = { catalog: fallback, plurals: new Intl.PluralRules("en") };
  numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/**
 * A sentence with its values filled in. With a number `count` the key's plural form is taken
 * (`key.one`, `key.other`, …); a key that is in no catalog is shown itself.
 */
export const t = (key, values = {}) => rich(key, values).join("");

/** The same in pieces, for values that are more than text: `["Hello, ", <b>Ann</b>, "."]`. */
export const rich = (key, values = {}) =>
  (find(sentences, key, values) ?? find(english, key, values) ?? key)
    .split(/(\{\w+\})/)
    .map((piece, index) => (index % 2 ? filled(piece, values) : piece));

function find({ catalog, plurals }, key, { count }) {
  const form = typeof count === "number" ? `${key}.${plurals.select(count)}` : key;
  return catalog[form] ?? catalog[`${key}.other`] ?? catalog[key];
}

function filled(hole, values) {
  const name = hole.slice(1, -1);
  if (!(name in values)) return hole;
  return typeof values[name] === "number" ? number(values[name]) : values[name];
}

/** Is there a sentence for this key? */
export const has = (key) => key in sentences.catalog || key in english.catalog;

/** A number as the reader writes it: 8636 is "8,636". */
export const number = (value) => numbers.format(value);

/** A number with one decimal: 7.2 is "7,2" in German, 1 is "1.0" in English. */
export const decimal = (value) => tenths.format(value);

/** A calendar day such as 2026-03-08 in words; a day has no zone. */
export const day = (iso) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${iso}T00:00Z`));

/** A month such as 2026-03 in words. */
export const month = (iso) =>
  new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${iso}-01T00:00Z`),
  );

/** The day of the week of a calendar day: "short" or "long". */
export const weekday = (iso, length) =>
  new Intl.DateTimeFormat(locale, { weekday: length, timeZone: "UTC" }).format(new Date(`${iso}T00:00Z`));

/** The day that weeks begin with, from 1 for Monday to 7 for Sunday; Monday where the browser does not know. */
export function firstOfWeek() {
  const own = new Intl.Locale(locale).maximize();
  return (own.getWeekInfo?.() ?? own.weekInfo)?.firstDay ?? 1;
}

/** An instant in the reader's own zone. */
export const instant = (iso) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

/** The time of day of an instant in the reader's own zone. */
export const clock = (iso) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(iso));

/** Names or words in one phrase. */
export const list = (items) => new Intl.ListFormat(locale, { type: "conjunction" }).format(items);

/** The same in pieces, for items that are more than text. */
export const richList = (items) =>
  new Intl.ListFormat(locale, { type: "conjunction" })
    .formatToParts(items.map((_, index) => String(index)))
    .map(({ type, value }) => (type === "element" ? items[value] : value));
