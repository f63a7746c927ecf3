/**
 * Puts characters together that a stream of texts cuts in two, as emoji are where texts are cut by their length. Half a
 * character by itself is no text: peers would see U+FFFD.
 */
export class WholeCharacters {
  /** The first half of a character, which waits for the next text. */
  #held = "";

  /** The text without half a character at its end, and with the half that was held back before. */
  of(text: string): string {
    if (this.#held === "" && !endsInHalf(text)) return text;
    const whole = this.#held + text;
    const end = endsInHalf(whole) ? whole.length - 1 : whole.length;
    this.#held = whole.slice(end);
    return whole.slice(0, end);
  }
}

/** The first characters of a text, and no half of one. */
export function beginning(text: string, maxChars: number): string {
  return new WholeCharacters().of(text.slice(0, maxChars));
}

/** Whether a text ends in the first half of a surrogate pair. Values of other types are left to the schema. */
function endsInHalf(text: string): boolean {
  return typeof text === "string" && (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
}
