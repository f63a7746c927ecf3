import type { RequestId } from "@editwire/core";
import { ErrorCode, isWireError, type WireError } from "@editwire/core/errors";
import { receivedBy, type Receiver, type ReceiverParts, show } from "../engine/index.js";
import { faultOf, type Incoming, isRequestId } from "./incoming.js";
import { encodeError } from "./messages.js";
import type { CancelMessage } from "./options.js";
import { acceptReply, isReply, loseReply } from "./replies.js";

/** Characters of skipped text that its diagnostic quotes. */
const maxNoiseChars = 200;

/** What the receiver of JSON-RPC needs. */
interface Parts extends ReceiverParts {
  readonly cancel: CancelMessage | undefined;
  readonly noise: "answer" | "report";
}

/**
 * Distinguishes requests, notifications and replies. A malformed request is always answered; a malformed notification
 * or reply never is.
 */
export class JsonRpcReceiver implements Receiver {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  message(value: unknown, length: number): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return this.#noMessage(value);
    const message: Incoming = value;
    const { id, method, params } = message;
    if (method === undefined) return this.#reply(message);
    const fault = faultOf(message);
    if (fault !== undefined) this.#fail(message, fault);
    else if (id === undefined) this.#notification(method as string, params, length);
    else this.#parts.requests.accept(id as RequestId, receivedBy(this.#parts, method as string, params, length));
  }

  malformed(error: WireError, value?: unknown): void {
    const { engine, noise } = this.#parts;
    if (typeof value === "object" && value !== null && this.#isLost(value, error.message)) return;
    const { message, data } = error;
    const tooLarge = isWireError(error, "too_large");
    // A message in another charset is still a message, so its sender receives an answer even if other bytes are noise.
    const foreign = typeof data === "object" && data !== null && "charset" in data;
    if (noise === "report" && !tooLarge && !foreign) return this.#skip(excerptOf(error));
    engine.reports.error(error, undefined);
    if (foreign) return engine.respond(encodeError(null, ErrorCode.ParseError, `Parse error: ${message}`));
    if (noise === "report") return;
    engine.respond(
      tooLarge
        ? encodeError(null, ErrorCode.InvalidRequest, `Invalid request: ${message}`)
        : encodeError(null, ErrorCode.ParseError, "Parse error"),
    );
  }

  /** Tells the sender or the caller of a message that cannot be read. False for one that concerns neither. */
  #isLost(message: Incoming, why: string): boolean {
    const { engine, noise } = this.#parts;
    const { id, method } = message;
    if (method === undefined) return loseReply(message, why, engine.calls);
    if (typeof method !== "string") return false;
    if (isRequestId(id)) engine.respond(encodeError(id, ErrorCode.ParseError, `Parse error: ${why}`));
    else if (noise === "answer") return false;
    engine.reports.diagnostic("rpc.unreadable", method, `ignored a message: ${why}`);
    return true;
  }

  #noMessage(value: unknown): void {
    if (this.#parts.noise === "report") return this.#skip(JSON.stringify(value));
    const why = Array.isArray(value) ? "batches are not supported" : `a message is an object, not ${show(value)}`;
    this.#refuse(null, why);
  }

  #skip(text: string): void {
    const { reports } = this.#parts.engine;
    const excerpt = text.trim().slice(0, maxNoiseChars);
    reports.diagnostic("rpc.noise", undefined, `skipped text that is not a message: ${excerpt}`);
  }

  #reply(message: Incoming): void {
    const { calls, reports } = this.#parts.engine;
    if (isReply(message, calls)) acceptReply(message, calls, reports);
    else if (message.jsonrpc === undefined && this.#parts.noise === "report") this.#skip(JSON.stringify(message));
    else this.#refuse(message.id, `"method" is missing`);
  }

  #notification(method: string, params: unknown, length: number): void {
    const { engine, notifications, requests, cancel } = this.#parts;
    if (method !== cancel?.method) return notifications.accept(receivedBy(this.#parts, method, params, length));
    try {
      const id = cancel.idOf(params);
      if (id !== undefined) requests.cancel(id);
    } catch (error) {
      engine.reports.error(error, method);
    }
  }

  #fail({ id, method }: Incoming, fault: string): void {
    if (id !== undefined || typeof method !== "string") this.#refuse(id, fault);
    else this.#parts.engine.reports.diagnostic("rpc.invalid-notification", method, `ignored a notification: ${fault}`);
  }

  #refuse(id: unknown, why: string): void {
    const { engine, noise } = this.#parts;
    engine.reports.diagnostic("rpc.invalid-request", undefined, `refused a message: ${why}`);
    if (noise === "report" && !isRequestId(id)) return;
    engine.respond(encodeError(isRequestId(id) ? id : null, ErrorCode.InvalidRequest, `Invalid request: ${why}`));
  }
}

/** The beginning of the text that is not a message; without a text, the reason. */
function excerptOf({ message, data }: WireError): string {
  const excerpt = typeof data === "object" && data !== null && "excerpt" in data ? data.excerpt : undefined;
  return typeof excerpt === "string" && excerpt !== "" ? excerpt : message;
}
