import { stripVTControlCharacters } from "node:util";

/**
 * Characters that could move the cursor, change colors, reorder or hide text: controls (C0, DEL, C1), invisible
 * formatting (bidi overrides, zero-width characters, tags), line separators and lone surrogates. The joiners inside
 * emoji and Indic words stay.
 */
const hostile = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes control characters of untrusted text visible; line breaks and tabs stay. */
export function escapeControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(hostile, visible);
}

/** Untrusted text as one line: controls made visible, runs of whitespace closed up. */
export function oneLine(text: string): string {
  return escapeControls(text).replace(/\s+/gu, " ").trim();
}

/** A program's output: its colour sequences go, a carriage return starts a line, other controls become visible. */
export function plainOutput(text: string): string {
  return escapeControls(stripVTControlCharacters(text).replace(/\r\n?/g, "\n"));
}

/** Makes streamed text safe; holds back a character whose other half is in the next chunk. */
export function createTextStream(): { push(chunk: string): string; end(): string } {
  let held = "";
  return {
    push(chunk) {
      const text = held + chunk;
      held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? "";
      return escapeControls(held === "" ? text : text.slice(0, -1));
    },
    end() {
      const rest = escapeControls(held);
      held = "";
      return rest;
    },
  };
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
