/** Which page an address shows: patterns such as `/game/{id}`, matched whole. */

/** The first route that fits a path, and its parameters; or null. `routes` is a list of `[pattern, page]`. */
export function match(routes, path) {
  const parts = split(path);
  for (const [pattern, page] of routes) {
    const params = fit(split(pattern), parts);
    if (params) return { page, params };
  }
  return null;
}

const split = (path) => path.split("/").filter(Boolean);

function fit(pattern, parts) {
  if (pattern.length !== parts.length) return null;
  const params = {};
  for (const [index, piece] of pattern.entries()) {
    if (piece.startsWith("{")) params[piece.slice(1, -1)] = decode(parts[index]);
    else if (piece !== parts[index]) return null;
  }
  return params;
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
