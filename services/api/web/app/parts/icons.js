/** Line drawings, 24 by 24; decoration only, so that a text or a label always stands beside them. */

import { html, svg } from "/vendor/lit-html.js";

const line = (d) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${svg`<path d=${d} />`}</svg>`;

const RAYS = "M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5";

export const bin = () => line("M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5");
export const calendar = () => line("M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M8 14h.01M12 14h.01M16 14h.01");
export const chat = () => line("M4 5h16v11H10l-5 4v-4H4z");
export const close = () => line("M6 6l12 12M18 6L6 18");
export const copy = () => line("M9 9h11v11H9zM5 15H4V4h11v1");
export const dice = () => line("M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01");
export const erase = () => line("M9 5h11v14H9l-6-7zM12 9.5l5 5M17 9.5l-5 5");
export const flag = () => line("M6 21V4h12l-3 4 3 4H6");
export const home = () => line("M4 11l8-7 8 7v9h-5v-6H9v6H4z");
export const about = () => line("M12 11v6M12 7.5v.01M12 3a9 9 0 1 0 .01 0");
export const help = () => line("M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17.5v.01M12 3a9 9 0 1 0 .01 0");
export const history = () => line("M4 12a8 8 0 1 1 2.5 5.8M4 19v-4h4M12 8v4l3 2");
export const globe = () =>
  line("M12 3a9 9 0 1 0 .01 0M3.500 9h17M3.500 15h17M12 3c-3 3-4 6-4 9s1 6 4 9M12 3c3 3 4 6 4 9s-1 6-4 9");
export const link = () =>
  line("M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1");
export const mail = () => line("M3 6h18v12H3zM3 7l9 6 9-6");
export const more = () => line("M4 7h16M4 12h16M4 17h16");
export const moon = () => line("M20 14a8 8 0 0 1-10-10 8 8 0 1 0 10 10z");
export const paste = () => line("M8 5H5v16h14V5h-3M9 3h6v4H9zM9 12h6M9 16h6");
export const person = () => line("M12 4a4 4 0 1 0 .01 0M4 20c1-4 4-6 8-6s7 2 8 6");
export const rivals = () => line("M5 20L18 5l1-1-1 5-11 9zM19 20L6 5 5 4l1 5 11 9z");
export const sieve = () => line("M4 5h16l-6.500 8v6l-3 2v-8z");
export const share = () => line("M12 15V4M8 7l4-4 4 4M5 12v8h14v-8");
export const shield = () => line("M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4");
export const sun = () => line(`M12 8a4 4 0 1 0 .01 0${RAYS}`);
export const target = () => line("M12 3a9 9 0 1 0 .01 0M12 8a4 4 0 1 0 .01 0M12 12h.01");
export const tick = () => line("M5 13l4 4L19 7");
export const undo = () => line("M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3");
