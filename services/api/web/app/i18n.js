/** Texts: `t(key, values)` from a flat catalog with one key per sentence; plural forms and dates by Intl. */

let locale = "en";
let catalog = {};
let plurals = new Intl.PluralRules(locale);

/** Use this catalog from now on. */
export function use(language, sentences) {
  locale = language;
  catalog = sentences;
  plurals = new Intl.PluralRules(language);
}

/**
 * A sentence with its values filled in. With a number `count` the key's plural form is taken
 * (`key.one`, `key.other`, …); a key that is in no catalog is shown itself.
 */
export function t(key, values = {}) {
  const form = typeof values.count === "number" ? `${key}.${plurals.select(values.count)}` : key;
  const sentence = catalog[form] ?? catalog[`${key}.other`] ?? catalog[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? String(values[name]) : hole));
}

/** Is there a sentence for this key? */
export const has = (key) => key in catalog;

/** A calendar day such as 2026-03-08 in words; a day has no zone. */
export const day = (iso) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${iso}T00:00Z`));

/** An instant in the reader's own zone. */
export const instant = (iso) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

/** The time of day of an instant in the reader's own zone. */
export const clock = (iso) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(iso));

/** Names or words in one phrase. */
export const list = (items) => new Intl.ListFormat(locale, { type: "conjunction" }).format(items);
