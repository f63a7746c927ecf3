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

/** A message behind a line that a program logs where its messages go. */
export function behindLogLine(message: unknown, framing: "line" | "header" = "header"): Uint8Array {
  return Buffer.concat([Buffer.from("working...\n"), encodeFrame(message, framing)]);
}

/** A message and a line end, which its header does not count. */
export function beforeLineEnd(message: unknown, framing: "line" | "header" = "header"): Uint8Array {
  return Buffer.concat([encodeFrame(message, framing), Buffer.from("\r\n")]);
}

/** A message on a line, without a header. */
export const onLine = (message: unknown): Uint8Array => encodeFrame(message, "line");

/** A message with a header field that no specification lists. */
export const withMoreHeaders = encodedWith((size) => `Content-Length: ${size}\r\nX-Server: 1\r\n\r\n`);

/** A message whose header field is written in lower case. */
export const withSmallLetters = encodedWith((size) => `content-length: ${size}\r\n\r\n`);
