import { stripVTControlCharacters } from "node:util";

/** Text of another program as one line, without commands for the terminal. */
export function oneLine(text: string): string {
  return plainText(text)
    .replace(/[\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}

/** Text of another program without commands for the terminal; lines and tabs stay. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, "");
}
