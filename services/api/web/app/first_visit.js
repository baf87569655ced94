/** Whether the lobby opens the Daily by itself: on the first visit of an Eastern day in this browser, and not again. */

import { keep, kept } from "./shelf.js";

const SHELF = "daily.opened";

/** Is this the first visit of this day? From now on it is not. Where nothing can be kept, no visit is the first. */
export const isFirstVisit = (day) => kept(SHELF) !== day && keep(SHELF, day);

/** Was the Daily of this day opened here? */
export const wasOpened = (day) => kept(SHELF) === day;

/** The Daily was opened by hand. */
export const opened = (day) => keep(SHELF, day);
