import type { SessionUpdate } from "@editwire/acp-schema";

/** The params of `session/update`, which is the notification of every workload. */
export interface Update {
  readonly sessionId: string;
  readonly update: SessionUpdate;
}

/** One end of a connection, reduced to what the workloads need. */
export interface Link {
  /** Makes a call; its result is whatever the far end's handler gave. */
  call(method: string, params: object): Promise<unknown>;
  /** Sends a `session/update`. The promise, where there is one, is the implementation's own. */
  update(params: Update): void | Promise<void>;
  close(): unknown;
}

/** The reactions of an end to the messages that it receives. */
export interface Handlers {
  /** Some implementations have a different class for each side. */
  readonly role: "serves" | "calls";
  call(method: string, params: unknown, link: Link): unknown;
  update(params: Update): void | Promise<void>;
}

/** An implementation of JSON-RPC under measurement. Both ends of a connection are always of the same one. */
export interface Contender {
  /** Starts a command and talks to its stdin and stdout. */
  spawn?(argv: readonly string[], handlers: Handlers): Promise<Link>;
  /** Talks over this process' own stdin and stdout. */
  stdio?(handlers: Handlers): void;
  /** Connects to what `listen` gave. */
  dial?(address: string, handlers: Handlers): Promise<Link>;
  /** Listens on a Unix socket (an absolute path), `ws:` or `http:`; gives the address to dial. */
  listen?(address: string, handlers: Handlers): Promise<string>;
}

/** Says that a contender cannot do what a workload asks of it. */
export function unsupported(what: string): never {
  throw new Error(`this contender does not support ${what}`);
}
