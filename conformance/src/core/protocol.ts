import type { Protocol } from "@editwire/core";
import type { FuzzSuite } from "../fuzz/suite.js";
import type { HttpPaths } from "../wire/http.js";
import type { PipeEnd } from "../wire/pipe.js";
import type { Control } from "../wire/link.js";
import type { Serve } from "../wire/memory.js";
import type { ServedAt } from "../wire/served.js";
import type { WsPaths } from "../wire/ws-address.js";
import type { Case } from "./case.js";
import type { CaseContext } from "./context.js";
import type { Envelope } from "./message.js";
import type { Monitor } from "./monitor.js";
import type { Mutant } from "./mutant.js";
import type { SuiteProfile } from "./profile.js";
import type { Registry } from "./registry.js";
import type { Talk } from "./talk.js";
import type { Vector } from "./vector.js";

/** What the first messages told about the target. */
export interface Handshake {
  readonly implementation?: { readonly name?: string | undefined; readonly version?: string | undefined } | undefined;
  /** What the target says that it can do, as it said it. */
  readonly capabilities?: unknown;
}

/** How the suite plays the other side of a role. */
export interface RoleSuite {
  /** The role of the target. */
  readonly role: string;
  /** The role that the suite plays. */
  readonly peer: string;
  /** Targets of this role act on their own and must be steered; one that nobody steers is restarted for each case. */
  readonly steered?: boolean | undefined;
  /** On a protocol of WebSockets: targets of this role dial, or they listen. */
  readonly socket?: "dials" | "listens" | undefined;
  /** What is run in place of all cases when the target is only watched. */
  readonly watch?: Case | undefined;
  /** Does what has to happen before cases can run, over a fresh connection. Throws what `Talk` throws. */
  handshake(talk: Talk): Promise<Handshake>;
  /** Adds the protocol's own steps, such as `session()`, to a case's context. */
  context(base: CaseContext): CaseContext;
}

/** A peer written on the raw wire, with a switch for everything that it could do wrong. */
export interface Reference {
  /** The names of its switches and what each one does when it is right. */
  readonly behavior: Readonly<Record<string, unknown>>;
  /** Serves one connection over bytes, for protocols that have those. `patch` overrides switches. */
  serve?(patch?: Readonly<Record<string, unknown>>): Serve;
  /** Listens for WebSockets or dials one, for protocols that have nothing else. */
  readonly ws?: WsServerReference | WsClientReference | undefined;
  /** The same over HTTP, for protocols that have it. */
  readonly http?: HttpReference | HttpClientReference | undefined;
  /** How the scripted model is put behind it, for what only the model can judge. */
  readonly model?: ModelReference | undefined;
}

/** A reference that listens for WebSockets, and acts of its own accord. */
export interface WsServerReference {
  /** Listens on a free port of this machine until it is closed. */
  listen(
    patch?: Readonly<Record<string, unknown>>,
  ): Promise<ServedAt & { readonly control: Control; close(): Promise<void> }>;
}

/** A reference that dials a WebSocket. */
export interface WsClientReference {
  /** Dials until it is closed. */
  dial(
    to: { readonly url: string; readonly token: string },
    patch?: Readonly<Record<string, unknown>>,
  ): { close(): void };
}

/** A reference that can leave turns to a language model. */
export interface ModelReference {
  /** Behaviors that the model has in place of the reference. */
  readonly behaviors: readonly string[];
  /** Overrides that put the model at this base URL, of an API like OpenAI's, behind the reference. */
  patch(url: string): Readonly<Record<string, unknown>>;
}

/** A reference that is a client on HTTP, with switches of its own. */
export interface HttpClientReference {
  readonly behavior: Readonly<Record<string, unknown>>;
  /** One end of a pipe whose other end is the agent at a URL. */
  pipe(url: string, patch?: Readonly<Record<string, unknown>>): PipeEnd;
}

/** A reference that listens on HTTP, with switches of its own. */
export interface HttpReference {
  readonly behavior: Readonly<Record<string, unknown>>;
  /** Listens on a free port of this machine until it is closed. */
  serve(
    serve: Serve,
    patch?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** One thing that a target can be told to do, so that a case does not depend on a language model's mood. */
export interface Behavior {
  readonly name: string;
  /** What the target does, and which arguments change it. */
  readonly does: string;
}

/** Everything that the suite knows of a protocol: one value, listed in `protocols/all.ts`. */
export interface ConformanceProtocol {
  readonly name: string;
  readonly title: string;
  /** The method table, from the schema package. */
  readonly table: Protocol;
  readonly envelope: Envelope;
  /** By the role of the target. */
  readonly roles: Readonly<Record<string, RoleSuite>>;
  /** The dialects; the first is the default. */
  readonly profiles: readonly SuiteProfile[];
  /** How the suite frames the bytes it sends, unless an option says otherwise. Default: lines. */
  readonly framing?: "line" | "header" | undefined;
  /** Where messages go over HTTP; absent when the protocol has no HTTP transport. */
  readonly http?: HttpPaths | undefined;
  /** What WebSockets are dialed under; present when the protocol has no other transport. */
  readonly ws?: WsPaths | undefined;
  readonly behaviors: readonly Behavior[];
  /** Reads the registry's files at the first call. */
  registry(): Registry;
  readonly cases: readonly Case[];
  readonly monitors: readonly Monitor[];
  /** Reads the vector files at the first call. */
  vectors(): readonly Vector[];
  /** By role. */
  readonly reference: Readonly<Record<string, Reference>>;
  readonly mutants: readonly Mutant[];
  /** How targets are fuzzed, by their role; loaded at the first call. */
  readonly fuzz?: (() => Promise<Readonly<Record<string, FuzzSuite>>>) | undefined;
  /**
   * Brings a value of the target into the form that the table's schema describes, where the spec allows several forms.
   */
  readonly accept?: ((method: string, part: "params" | "result", value: unknown) => unknown) | undefined;
}
