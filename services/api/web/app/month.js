/** Months as a calendar shows them. A month is written 2026-03, a day 2026-03-08. */

const DAY = 86_400_000; // milliseconds

/** The month of a day. */
export const monthOf = (day) => day.slice(0, 7);

/** Is this text a month? */
export const isMonth = (text) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? "");

/** The month so many later, or earlier if `by` is negative. */
export function neighbour(month, by) {
  const date = new Date(`${month}-01T00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}

/** The weeks of a month: rows of seven, a day each or null. `first` is the day that weeks begin with: 1 Monday … 7 Sunday. */
export function weeks(month, first) {
  const begin = Date.parse(`${month}-01T00:00Z`);
  const length = (Date.parse(`${neighbour(month, 1)}-01T00:00Z`) - begin) / DAY;
  const before = (new Date(begin).getUTCDay() - first + 7) % 7;
  const days = Array.from({ length }, (_, index) => new Date(begin + index * DAY).toISOString().slice(0, 10));
  const cells = [...Array(before).fill(null), ...days];
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, row) => cells.slice(7 * row, 7 * row + 7));
}
