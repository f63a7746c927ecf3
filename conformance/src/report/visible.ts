/**
 * Characters that are invisible and change how others look: controls, what turns the writing direction, zero-width and
 * tag characters, and halves of surrogate pairs.
 */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f]/;
const marks = /[\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/u;
const unseen = new RegExp(`${controls.source}|${marks.source}`, "gu");

/**
 * Writes invisible characters as `\uXXXX`, so that a text of the target can neither steer a terminal nor pose as
 * another text. Line feeds and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(unseen, escaped);
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/\n/g, "\\n").replace(/\t/g, "\\t");
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
