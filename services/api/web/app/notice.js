/** A plain text of notices as the parts of a page, so that its lines can be as long as the page is wide. */

const RULE = /^=+$/;
const COLUMNS = /\S {3,}\S/;
const ITEM = /^(\d+\. |\(.*\)$|> )/;
const QUOTE = "> ";
const NARROW = 45; // no line was broken for want of room where none is longer: an address, for one

/**
 * The parts of a text: `{kind: "heading" | "table" | "text", text, inset}`. Lines that were broken for want of room are
 * one line again; what is set in columns stays as it is. `inset`: the part stands further in than the rest.
 */
export const parts = (text) =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.split("\n").map((line) => line.trimEnd()))
    .map((lines) => lines.filter(Boolean))
    .filter((lines) => lines.length)
    .map(part);

function part(lines) {
  if (lines.length === 2 && RULE.test(lines[1])) return { kind: "heading", text: lines[0], inset: false };
  if (lines.some((line) => COLUMNS.test(line.trim()))) return { kind: "table", text: lines.join("\n"), inset: false };
  return { kind: "text", text: joined(lines.map((line) => line.trim())), inset: lines[0].startsWith(" ") };
}

function joined(lines) {
  if (lines.every(({ length }) => length < NARROW)) return lines.join("\n");
  return lines.reduce((text, line, index) => {
    const goesOn = line.startsWith(QUOTE) && lines[index - 1].startsWith(QUOTE);
    if (goesOn) return `${text} ${line.slice(QUOTE.length)}`;
    return text + (ITEM.test(line) ? "\n" : " ") + line;
  });
}
