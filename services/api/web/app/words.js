/** Marks, refusals and outcomes in words: the sentences that several pages share. */

import { has, rich, t } from "./i18n.js";

/** A problem of any request as a sentence. */
export function because(problem) {
  const key = `problem.${problem.code}`;
  return has(key) ? t(key, problem.facts) : t("problem.trouble");
}

/** A guess and its marks: "Crane: C not in the word, R right spot, …". */
export const spoken = (guess) => spokenWith(guess.word, guess).join("");

/** The same in pieces, with the word shown as `name`. */
export const spokenWith = (name, { word, marks }) =>
  rich("marks.guess", {
    word: name,
    marks: [...marks]
      .map((_, tile) => t("marks.tile", { letter: word[tile].toUpperCase(), mark: t(markOf(word, marks, tile)) }))
      .join(", "),
  });

/** A gray letter that the guess has elsewhere in another colour is in the word, only not once more. */
function markOf(word, marks, tile) {
  const found = [...marks].some((mark, other) => mark !== "I" && word[other] === word[tile]);
  return marks[tile] === "I" && found ? "marks.again" : `marks.${marks[tile]}`;
}

/** A row of marks without letters: "right spot, not in the word, …". */
export const spokenRow = (marks) => [...marks].map((mark) => t(`marks.${mark}`)).join(", ");

/** What a player is called; somebody whose account is gone has no name. */
export const nameOf = (player) => player?.name ?? t("player.nobody");

/** What has happened between two views of a duel, one sentence each, for who does not see it. */
export function news(before, view) {
  const name = nameOf(view.opponent.player);
  const said = view.you.guesses.slice(before.you.guesses.length).map(spoken);
  if (view.opponent.player && !before.opponent.player) said.push(t("said.joined", { name }));
  if (view.state === "playing" && before.state === "waiting") said.push(t("said.started"));
  const rows = view.opponent.rows;
  for (let index = before.opponent.rows.length; index < rows.length; index += 1) {
    said.push(t("said.row", { name, number: index + 1, marks: spokenRow(rows[index]) }));
  }
  if (view.opponent.solved && !before.opponent.solved) said.push(t("said.solved", { name }));
  if (view.result && !before.result) said.push(ending(view));
  return said;
}

/** The end of a game in one sentence. */
export const ending = (view) => t(`result.${view.result.outcome}`, { name: nameOf(view.opponent.player) });
