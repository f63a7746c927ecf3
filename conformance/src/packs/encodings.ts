import { encodeFrame } from "../wire/framing.js";

/** A message with a header of its own form, made from the number of bytes of its body. */
const encodedWith =
  (header: (size: number) => string) =>
  (message: unknown, framing: "line" | "header" = "header"): Uint8Array => {
    if (framing === "line") return encodeFrame(message, framing);
    const body = Buffer.from(JSON.stringify(message));
    return Buffer.concat([Buffer.from(header(body.length)), body]);
  };

/** A message whose header ends with line feeds. */
export const withLineFeeds = encodedWith((size) => `Content-Length: ${size}\n\n`);

/** A message that names a charset other than that in which it is written. */
export const inLatin1 = encodedWith(
  (size) => `Content-Type: application/vscode-jsonrpc; charset=iso-8859-1\r\nContent-Length: ${size}\r\n\r\n`,
);
