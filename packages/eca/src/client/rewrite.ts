import type { EcaParams, EcaResult, RewriteContent } from "@editwire/eca-schema";
import { ErrorCode, RemoteError, WireError } from "@editwire/core";
import { type AskOptions, EventQueue } from "@editwire/session";
import { accepted } from "./asks.js";
import type { ClientLink } from "./link.js";

/** The text to rewrite, and the wishes of the user. */
export interface EcaRewriteOptions extends Omit<EcaParams<"rewrite/prompt">, "id">, AskOptions {}

/** A rewrite that runs: iterate it for its contents, of which the last is `finished`, or await `text` alone. */
export interface EcaRewrite extends AsyncIterable<RewriteContent> {
  /** The whole new text. Rejects with a `RemoteError` when the server could not make one, and with a `WireError`. */
  readonly text: Promise<string>;
}

interface Running {
  receive(content: RewriteContent): void | Promise<void>;
  fail(error: unknown): void;
}

/** The rewrites of a client. */
export class ClientRewrites {
  readonly #running = new Map<string, Running>();

  /** Asks for another text in place of one. Aborting the signal ends it here; the protocol cannot stop the server. */
  start(link: ClientLink, { signal, timeoutMs, ...params }: EcaRewriteOptions): EcaRewrite {
    const id = crypto.randomUUID();
    const queue = new EventQueue<RewriteContent>();
    let written = "";
    const text = new Promise<string>((resolve, reject) => {
      const over = new AbortController();
      const end = (): void => {
        this.#running.delete(id);
        over.abort();
      };
      const fail = (error: unknown): void => {
        end();
        queue.fail(error);
        reject(error);
      };
      const receive = (content: RewriteContent): void | Promise<void> => {
        if (content.type === "text") written += content.text;
        if (content.type === "replace") written = content.text;
        if (content.type === "error") return fail(new RemoteError(ErrorCode.InternalError, content.message, content));
        if (content.type !== "finished")
          return queue.push(content, "text" in content ? String(content.text).length : 0);
        end();
        queue.end(content);
        resolve(written);
      };
      this.#running.set(id, { receive, fail });
      const abort = (): void => fail(new WireError("aborted", "rewrite/prompt: aborted", { cause: signal?.reason }));
      signal?.addEventListener("abort", abort, { once: true, signal: over.signal });
      link
        .ask("rewrite/prompt", { ...params, id }, { signal, timeoutMs })
        .then((result) => started(result, fail), fail);
    });
    text.catch(() => {}); // an application that iterates gets the error there
    return { text, [Symbol.asyncIterator]: () => queue.read(() => {}) };
  }

  /** Takes a content; that of an unknown rewrite is dropped. */
  receive({ rewriteId, content }: EcaParams<"rewrite/contentReceived">): void | Promise<void> {
    return this.#running.get(rewriteId)?.receive(content);
  }

  /** The connection is closed. */
  lost(reason: Error): void {
    for (const { fail } of this.#running.values()) fail(new WireError("closed", `rewrite/prompt: ${reason.message}`));
  }
}

function started(result: EcaResult<"rewrite/prompt">, fail: (error: unknown) => void): void {
  try {
    accepted("rewrite/prompt", result);
  } catch (error) {
    fail(error);
  }
}
