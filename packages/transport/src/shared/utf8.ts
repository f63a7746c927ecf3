const encoder = new TextEncoder();

/** Text as UTF-8. Node's own way is several times faster for small texts. */
export function encodeUtf8(text: string): Uint8Array {
  return typeof Buffer === "undefined" ? encoder.encode(text) : Buffer.from(text);
}

/** Texts as UTF-8, one after the other. Node writes each by itself, since a joined text would be copied once more. */
export function encodeAll(texts: readonly string[]): Uint8Array {
  if (typeof Buffer === "undefined" || texts.length === 1) return encodeUtf8(texts.join(""));
  let size = 0;
  for (const text of texts) size += Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}

/** The bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return typeof Buffer === "undefined" ? encoder.encode(text).length : Buffer.byteLength(text);
}

/** True for a text with a character beyond Latin-1, which takes two bytes for each character in memory. */
export function isWide(text: string): boolean {
  return /[^\0-\xff]/.test(text);
}
