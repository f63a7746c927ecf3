import { WireError } from "@editwire/core/errors";
import { type Salvage, salvage } from "@editwire/framing";
import type { TransportEvents } from "../transport.js";

/** Parses one message. Returns a `WireError` for text that is not JSON; its `data` holds the first 200 characters. */
export function parseMessage(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    return new WireError("framing", `not JSON: ${(cause as Error).message}`, { cause, data: json.slice(0, 200) });
  }
}

type Listener = Pick<TransportEvents, "message" | "malformed">;

/** Hands a listener a text that `parseMessage` could not read, and then the messages in it. `why` is its error. */
export function deliverBroken(json: string, why: WireError, listener: Listener): void | Promise<void> {
  const { error, value, messages } = salvage(json, why.message, why.cause);
  listener.malformed(error, value);
  if (messages.length > 0) return deliverAll(messages, listener);
}

async function deliverAll(messages: Salvage["messages"], listener: Listener): Promise<void> {
  for (const { value, text } of messages) await Promise.resolve(listener.message(value, text.length)).catch(() => {});
}
