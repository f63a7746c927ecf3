const encoder = new TextEncoder();

/** Text as UTF-8. Node's own way is several times faster for small texts. */
export function encodeUtf8(text: string): Uint8Array {
  return typeof Buffer === "undefined" ? encoder.encode(text) : Buffer.from(text);
}
