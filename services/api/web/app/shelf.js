/** Small things kept in this browser; where storage is blocked they are kept until the page goes. */

const here = new Map();

/** Keep a value; says whether it also lasts when the page goes. */
export function keep(name, value) {
  here.set(name, value);
  try {
    localStorage.setItem(`wordyard.${name}`, JSON.stringify(value));
    return true;
  } catch {
    return false; // blocked or full: the copy in memory serves this page
  }
}

export function kept(name) {
  try {
    const text = localStorage.getItem(`wordyard.${name}`);
    if (text !== null) return JSON.parse(text);
  } catch {
    // blocked, or not written by us
  }
  return here.get(name) ?? null;
}

export function forget(name) {
  here.delete(name);
  try {
    localStorage.removeItem(`wordyard.${name}`);
  } catch {
    // blocked: nothing was written
  }
}
