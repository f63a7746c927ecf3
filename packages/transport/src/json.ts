import { WireError } from "@editwire/core/errors";

/** Parses one message. A text that is no JSON becomes the error that the listener is told; `data` holds its head. */
export function parseMessage(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    return new WireError("framing", `not JSON: ${(cause as Error).message}`, { cause, data: json.slice(0, 200) });
  }
}
