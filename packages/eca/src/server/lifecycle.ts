import { serverNotInitialized } from "@editwire/eca-schema";
import { RemoteError } from "@editwire/core";

/** Which messages the stage of a connection admits (#lifecycle-messages). */
export class ServerLifecycle {
  readonly #onReady: () => void;
  #stage: "new" | "initializing" | "initialized" | "ready" | "shutdown" | "closed" = "new";
  /** The client sent `initialized`, maybe before it had its answer. */
  #confirmed = false;
  #held: (() => void)[] = [];

  /** `onReady` is called once, when the client may be sent notifications. */
  constructor(onReady: () => void) {
    this.#onReady = onReady;
  }

  /** True when the client may be sent notifications. */
  get ready(): boolean {
    return this.#stage === "ready";
  }

  /** True when the client has sent `shutdown`. */
  get isShutdown(): boolean {
    return this.#stage === "shutdown";
  }

  /** Admits a request, or throws the error that answers it. */
  admit(method: string): void {
    if (this.#stage === "shutdown" || this.#stage === "closed")
      throw RemoteError.invalidRequest(`${method}: the server is shut down`);
    if (this.#stage === "new" || this.#stage === "initializing") throw serverNotInitialized(method);
  }

  /** Says whether a notification is handled. */
  admits(): boolean {
    return this.#stage === "initialized" || this.#stage === "ready";
  }

  /** Admits `initialize`, which comes once. */
  initialize(): void {
    if (this.#stage !== "new") throw RemoteError.invalidRequest("initialize: the server is initialized already");
    this.#stage = "initializing";
  }

  /** `initialize` failed; the client may try again. */
  refused(): void {
    if (this.#stage === "initializing") this.#stage = "new";
    this.#confirmed = false;
  }

  /** `initialize` was answered. */
  answered(): void {
    if (this.#stage === "initializing") this.#stage = "initialized";
    this.#proceed();
  }

  /** The client is ready for notifications. */
  initialized(): void {
    this.#confirmed = this.#stage !== "new";
    this.#proceed();
  }

  shutdown(): void {
    this.#stage = "shutdown";
    this.#held = [];
  }

  /** The connection is closed. */
  close(): void {
    if (this.#stage !== "shutdown") this.#stage = "closed";
    this.#held = [];
  }

  /** Sends at once, or when the client is ready. After `shutdown` nothing is sent. */
  whenReady(send: () => void): void {
    if (this.#stage === "ready") send();
    else if (this.#stage !== "shutdown" && this.#stage !== "closed") this.#held.push(send);
  }

  #proceed(): void {
    if (this.#stage !== "initialized" || !this.#confirmed) return;
    this.#stage = "ready";
    this.#onReady();
    const held = this.#held;
    this.#held = [];
    for (const send of held) send();
  }
}
