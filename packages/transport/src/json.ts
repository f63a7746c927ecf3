import { WireError } from "@editwire/core/errors";

/** Parses one message. Returns a `WireError` for text that is not JSON; its `data` holds the first 200 characters. */
export function parseMessage(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    return new WireError("framing", `not JSON: ${(cause as Error).message}`, { cause, data: json.slice(0, 200) });
  }
}
