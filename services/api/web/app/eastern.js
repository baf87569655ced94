/** The Eastern day, by America/New_York with its daylight saving: which one it is, and when it ends. */

const HOUR = 3_600_000; // milliseconds

const calendar = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/New_York",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The Eastern day of an instant in milliseconds, written as 2026-03-08. */
export function easternDay(ms) {
  const parts = Object.fromEntries(calendar.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** The midnight that ends an Eastern day, in milliseconds: four or five hours after that of Greenwich. */
export function closeOf(day) {
  const midnight = Date.parse(`${shifted(day, 1)}T00:00Z`);
  return [4, 5].map((hours) => midnight + hours * HOUR).find((ms) => easternDay(ms - 1) === day && easternDay(ms) !== day);
}

/** The day so many days later, or earlier if `by` is negative. */
export function shifted(day, by) {
  const date = new Date(`${day}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
}
