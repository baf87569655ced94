/** Light or dark: the system's choice until somebody switches by hand. */

const KEY = "wordyard.colours";
const root = document.documentElement;

/** The colours shown now: "light" or "dark". */
export function shownColours() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return root.dataset.colours ?? (dark ? "dark" : "light");
}

/** Show the other colours, and keep the choice. */
export function switchColours() {
  root.dataset.colours = shownColours() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, root.dataset.colours);
  } catch {
    // storage is blocked: the choice lasts as long as the page
  }
}
