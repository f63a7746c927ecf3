import type { ModelApiName } from "./api.js";
import type { ModelConversation } from "./conversation.js";

/** One answer that was asked for. */
export interface RecordedRequest {
  readonly api: ModelApiName;
  readonly conversation: ModelConversation;
  /** The key that the caller sent, by whichever header its API has. */
  readonly key: string | undefined;
  /** Resolves when the answer is out, or the caller has gone before that. */
  readonly ended: Promise<"answered" | "aborted">;
}

const KEPT_REQUESTS = 200;
const KEPT_BYTES = 64 * 1024 * 1024;

/** Keeps the latest requests in bounded memory. */
export class Recorder {
  readonly requests: RecordedRequest[] = [];
  readonly #sizes: number[] = [];
  #total = 0;
  #count = 0;

  /**
   * Keeps a request of this size in bytes, and drops the oldest requests above the limit. The latest request always
   * stays. Returns the number of the request: the first one is 1.
   */
  keep(request: RecordedRequest, bytes: number): number {
    this.requests.push(request);
    this.#sizes.push(bytes);
    this.#total += bytes;
    while (this.requests.length > 1 && (this.requests.length > KEPT_REQUESTS || this.#total > KEPT_BYTES)) {
      this.requests.shift();
      this.#total -= this.#sizes.shift() ?? 0;
    }
    return ++this.#count;
  }
}
