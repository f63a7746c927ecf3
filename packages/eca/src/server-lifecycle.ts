import { RemoteError } from "@editwire/core";

/** The code of a request that comes before `initialize`, as the Language Server Protocol has it. */
const notInitialized = -32_002;

/** Which messages the stage of a connection admits (#lifecycle-messages). */
export class ServerLifecycle {
  readonly #onReady: () => void;
  #stage: "new" | "initializing" | "initialized" | "ready" | "shutdown" | "closed" = "new";
  /** The client said `initialized`, maybe before it had its answer. */
  #said = false;
  #held: (() => void)[] = [];

  /** `onReady` runs once, when the client may be sent anything. */
  constructor(onReady: () => void) {
    this.#onReady = onReady;
  }

  /** The client may be sent anything. */
  get ready(): boolean {
    return this.#stage === "ready";
  }

  /** The client asked for the end. */
  get isShutdown(): boolean {
    return this.#stage === "shutdown";
  }

  /** Admits a request, or throws what answers it. */
  admit(method: string): void {
    if (this.#stage === "shutdown" || this.#stage === "closed")
      throw RemoteError.invalidRequest(`${method}: the server is shut down`);
    if (this.#stage === "new" || this.#stage === "initializing")
      throw new RemoteError(notInitialized, `${method}: initialize comes first`);
  }

  /** Says whether a notification counts. */
  admits(): boolean {
    return this.#stage === "initialized" || this.#stage === "ready";
  }

  /** Admits `initialize`, which comes once. */
  initialize(): void {
    if (this.#stage !== "new") throw RemoteError.invalidRequest("initialize: the server is initialized already");
    this.#stage = "initializing";
  }

  /** `initialize` failed and may be tried again. */
  refused(): void {
    if (this.#stage === "initializing") this.#stage = "new";
    this.#said = false;
  }

  /** `initialize` was answered. */
  answered(): void {
    if (this.#stage === "initializing") this.#stage = "initialized";
    this.#proceed();
  }

  /** The client says that it is ready. */
  initialized(): void {
    this.#said = this.#stage !== "new";
    this.#proceed();
  }

  shutdown(): void {
    this.#stage = "shutdown";
    this.#held = [];
  }

  /** The connection is over. */
  close(): void {
    if (this.#stage !== "shutdown") this.#stage = "closed";
    this.#held = [];
  }

  /** Sends at once, or as soon as the client is ready; nothing after `shutdown`. */
  whenReady(send: () => void): void {
    if (this.#stage === "ready") send();
    else if (this.#stage !== "shutdown" && this.#stage !== "closed") this.#held.push(send);
  }

  #proceed(): void {
    if (this.#stage !== "initialized" || !this.#said) return;
    this.#stage = "ready";
    this.#onReady();
    const held = this.#held;
    this.#held = [];
    for (const send of held) send();
  }
}
