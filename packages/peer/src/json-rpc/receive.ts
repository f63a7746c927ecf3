import type { RequestId } from "@editwire/core";
import { ErrorCode, type WireError } from "@editwire/core/errors";
import { receivedBy, type Receiver, type ReceiverParts, show } from "../engine/index.js";
import { faultOf, type Incoming, isRequestId, members } from "./incoming.js";
import { answerToLost, isLostReply, type Loss, lossOf, unreadable } from "./lost.js";
import { encodeError } from "./messages.js";
import type { CancelMessage } from "./options.js";
import { acceptReply, isReply, loseReply } from "./replies.js";

/** Characters of skipped text that its diagnostic quotes. */
const maxNoiseChars = 200;

/** The parts of the peer that the receiver of JSON-RPC uses. */
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
  /** The highest id of a request of the peer. */
  #highestId = -1;

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
    else this.#request(id as RequestId, method as string, params, length);
  }

  malformed(error: WireError, value?: unknown): void {
    const { engine, noise } = this.#parts;
    const loss = lossOf(error);
    const message: Incoming = members(value);
    if (loss.found === "glued")
      return engine.reports.diagnostic("rpc.glued", undefined, `${error.message}: ${cut(loss.excerpt)}`);
    if (loss.found === "quoted" ? this.#takesQuoted(message) : this.#isLost(message, error, loss)) return;
    if (loss.found === "binary" || (noise === "report" && !loss.isTooLarge && !loss.isForeign))
      return this.#skip(loss.excerpt);
    engine.reports.error(error, undefined);
    if (loss.isForeign) return engine.respond(encodeError(null, ErrorCode.ParseError, `Parse error: ${error.message}`));
    if (noise === "report") return;
    engine.respond(
      loss.isTooLarge
        ? encodeError(null, ErrorCode.InvalidRequest, `Invalid request: ${error.message}`)
        : encodeError(null, ErrorCode.ParseError, "Parse error"),
    );
  }

  /**
   * Takes an awaited reply from text that may quote it: if the peer sends it again, the second one is ignored. A log
   * may also quote what this side answered, but only with the id of a request of the peer.
   */
  #takesQuoted(message: Incoming): boolean {
    const { calls, reports } = this.#parts.engine;
    const { id, method } = message;
    if (method !== undefined || typeof id !== "number" || id <= this.#highestId || !calls.waits(id)) return false;
    reports.diagnostic("rpc.glued", undefined, `read the reply with the id ${id} behind text that is not a message`);
    acceptReply(message, calls, reports);
    return true;
  }

  /** Tells the sender or the caller of a message that cannot be read. False for one that concerns neither. */
  #isLost(message: Incoming, error: WireError, loss: Loss): boolean {
    const { engine, noise } = this.#parts;
    const { id, method } = message;
    if (method === undefined) return isLostReply(message, loss) && loseReply(message, unreadable(error), engine.calls);
    if (typeof method !== "string") return false;
    // JSON-RPC 2.0, section 5: what is not JSON is answered without an id.
    if (noise === "answer" && (!isRequestId(id) || loss.found !== undefined)) return false;
    const answer = answerToLost(error, message);
    if (answer !== undefined) engine.respond(JSON.stringify(answer));
    engine.reports.diagnostic("rpc.unreadable", method, `ignored a message: ${error.message}`);
    return true;
  }

  #noMessage(value: unknown): void {
    if (this.#parts.noise === "report") return this.#skip(JSON.stringify(value));
    const why = Array.isArray(value) ? "batches are not supported" : `a message is an object, not ${show(value)}`;
    this.#refuse(null, why);
  }

  #skip(text: string): void {
    const { reports } = this.#parts.engine;
    reports.diagnostic("rpc.noise", undefined, `skipped text that is not a message: ${cut(text)}`);
  }

  #request(id: RequestId, method: string, params: unknown, length: number): void {
    if (typeof id === "number" && id > this.#highestId) this.#highestId = id;
    this.#parts.requests.accept(id, receivedBy(this.#parts, method, params, length));
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

function cut(text: string): string {
  return text.trim().slice(0, maxNoiseChars);
}
