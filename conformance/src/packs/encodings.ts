import { encodeFrame } from "../wire/framing.js";

/** A message with a header of its own form, made from the number of bytes of its body. */
export const encodedWith =
  (header: (size: number) => string | Uint8Array) =>
  (message: unknown, framing: "line" | "header" = "header"): Uint8Array => {
    if (framing === "line") return encodeFrame(message, framing);
    const body = Buffer.from(JSON.stringify(message));
    return Buffer.concat([Buffer.from(header(body.length) as string), body]);
  };

/** A message whose header ends with line feeds. */
export const withLineFeeds = encodedWith((size) => `Content-Length: ${size}\n\n`);

/** A message whose header counts the characters of the body in the place of its bytes. */
export function inCharacters(message: unknown): Uint8Array {
  const body = JSON.stringify(message);
  return Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
}

/** A message that names a charset other than that in which it is written. */
export const inLatin1 = encodedWith(
  (size) => `Content-Type: application/vscode-jsonrpc; charset=iso-8859-1\r\nContent-Length: ${size}\r\n\r\n`,
);
