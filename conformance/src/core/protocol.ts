import type { Protocol } from "@editwire/core";
import type { FuzzSuite } from "../fuzz/suite.js";
import type { HttpPaths } from "../wire/http.js";
import type { TraceEntry } from "../trace/trace.js";
import type { PipeEnd } from "../wire/pipe.js";
import type { Control } from "../wire/link.js";
import type { Serve } from "../wire/memory.js";
import type { ServedAt } from "../wire/served.js";
import type { StreamableHeaders } from "../wire/streamable.js";
import type { WsPaths } from "../wire/ws-address.js";
import type { Case } from "./run/case.js";
import type { CaseContext, SuiteProfile } from "./run/context.js";
import type { Known } from "./run/known.js";
import type { Classified, Envelope } from "./talk/message.js";
import type { Monitor } from "./talk/monitor.js";
import type { Mutant } from "./mutant.js";
import type { Registry } from "./registry/registry.js";
import type { Talk } from "./talk/talk.js";
import type { Vector } from "./vector.js";

/** The facts about the target that its first messages showed. */
export interface Handshake {
  readonly implementation?: { readonly name?: string | undefined; readonly version?: string | undefined } | undefined;
  /** The capabilities that the target declared, unchanged. */
  readonly capabilities?: unknown;
}

/** The surroundings of the target of one connection, prepared before it starts, such as a folder to work in. */
export interface Room {
  /** Values for `{name}` in the target's command line. Each is also in its environment, as `CONFORMANCE_NAME`. */
  readonly variables: Readonly<Record<string, string>>;
  /** The `conversation.room` of the cases. */
  readonly content: unknown;
  /** Removes it. */
  close(): void;
}

/** The facts besides the case that an excuse depends on. */
export interface ExcuseSetting {
  readonly known: Known;
  readonly profile: SuiteProfile;
}

/** The suite's part for a role of the target. */
export interface RoleSuite {
  /** The role of the target. */
  readonly role: string;
  /** The role that the suite plays. */
  readonly peer: string;
  /**
   * Targets of this role act by themselves and must be steered. A target without an adapter is restarted for each case.
   */
  readonly steered?: boolean | undefined;
  /** For WebSocket protocols: whether targets of this role dial or listen. */
  readonly socket?: "dials" | "listens" | undefined;
  /** Prepares the room of one connection. Default: none. */
  prepare?(): Room;
  /** Runs instead of the cases if the target is only watched. */
  readonly watch?: Case | undefined;
  /** Finds out which dialect a target speaks, for protocols of which there are several in use. */
  readonly dialectOf?: ((probe: DialectProbe) => Promise<FoundDialect>) | undefined;
  /** Finds out which dialect the target of a recorded session spoke, by what it sent. */
  readonly recordedDialect?: ((sent: readonly Classified[]) => FoundDialect) | undefined;
  /** Prepares a new connection for cases. Throws what `Talk` throws. */
  handshake(talk: Talk, profile: SuiteProfile): Promise<Handshake>;
  /**
   * Returns why the target's conduct in a case does not show how it behaves, such as a missing login. A failure is then
   * blocked. Default: never.
   */
  readonly excuse?: ((seen: readonly TraceEntry[], setting: ExcuseSetting) => string | undefined) | undefined;
  /** Adds the steps of the protocol, such as `session()`, to a case's context. */
  context(base: CaseContext): CaseContext;
}

/** A peer that writes raw messages, with a replaceable decision for everything that it could do wrong. */
export interface Reference {
  /** The names of its decisions, and their correct values. */
  readonly behavior: Readonly<Record<string, unknown>>;
  /** Replaced decisions with which it speaks another dialect, by its profile. */
  readonly profiles?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /**
   * How switches beside `outgoing`, `result` and `encode` change one message on its way: what lets a mutant of them
   * break any program. By the name of the switch, with its override.
   */
  readonly rewrites?: Readonly<Record<string, Rewrite>> | undefined;
  /** Makes what the connections of a run share, for protocols whose servers have many clients. Default: nothing. */
  share?(): unknown;
  /**
   * Serves one connection over bytes, for protocols with byte transports. `patch` replaces decisions. `shared` is what
   * `share` made; without it, the connection has a server of its own.
   */
  serve?(patch?: Readonly<Record<string, unknown>>, shared?: unknown): Serve;
  /** Listens for WebSockets or dials one, for WebSocket protocols. */
  readonly ws?: WsServerReference | WsClientReference | undefined;
  /** The same over HTTP, for protocols with an HTTP transport. */
  readonly http?: HttpReference | HttpClientReference | undefined;
  /** The same over Streamable HTTP, in the dialect that has it. */
  readonly streamable?: ((HttpReference | HttpClientReference) & { readonly profile: string }) | undefined;
  /** The same over a WebSocket, for protocols with other transports, too. */
  readonly webSocket?: HttpReference | HttpClientReference | undefined;
  /** Connects it to the scripted model, for requirements that only the model can judge. */
  readonly model?: ModelReference | undefined;
}

/** Gives the messages in place of one, by the override of a switch. `right` is what the reference has in its place. */
export type Rewrite = (
  override: unknown,
  message: Readonly<Record<string, unknown>>,
  right: unknown,
) => readonly Readonly<Record<string, unknown>>[];

/** A reference that listens for WebSockets, and acts by itself. */
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
    to: {
      readonly url: string;
      readonly token: string;
      /** Those of its room. */
      readonly variables?: Readonly<Record<string, string>> | undefined;
    },
    patch?: Readonly<Record<string, unknown>>,
  ): { close(): void };
}

/** A reference that can leave turns to a language model. */
export interface ModelReference {
  /** Behaviors that the model has instead of the reference. */
  readonly behaviors: readonly string[];
  /** Replaced decisions with which the reference uses the model at this base URL, an OpenAI-compatible API. */
  patch(url: string): Readonly<Record<string, unknown>>;
}

/** A reference that is a client over HTTP or a WebSocket, with its own replaceable decisions. */
export interface HttpClientReference {
  readonly behavior: Readonly<Record<string, unknown>>;
  /** One end of a pipe; the agent at the URL is the other end. */
  pipe(url: string, patch?: Readonly<Record<string, unknown>>): PipeEnd;
}

/** A reference that listens on HTTP or for WebSockets, with its own replaceable decisions. */
export interface HttpReference {
  readonly behavior: Readonly<Record<string, unknown>>;
  /** Listens on a free port of this machine until it is closed. */
  serve(
    serve: Serve,
    patch?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** An action that a target can be asked to do, so that a case does not depend on the answers of a language model. */
export interface Behavior {
  readonly name: string;
  /** The effect on the target, and the arguments that change it. */
  readonly does: string;
}

/** Everything that the suite knows about a protocol, as one value that `protocols/all.ts` lists. */
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
  /** The framing of the suite's messages, unless an option sets another one. Default: lines. */
  readonly framing?: "line" | "header" | undefined;
  /** The HTTP paths of messages; absent if the protocol has no HTTP transport. */
  readonly http?: HttpPaths | undefined;
  /** The headers of Streamable HTTP, and the path of its endpoint; absent if the protocol does not have it. */
  readonly streamable?: (StreamableHeaders & { readonly path: string }) | undefined;
  /** The paths of WebSockets; present if the protocol has no other transport. */
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
  /** Converts a value of the target to the form of the table's schema, where the spec allows several forms. */
  readonly accept?: ((method: string, part: "params" | "result", value: unknown) => unknown) | undefined;
}

/** Finds out which dialect a target speaks, in conversations with it that no case judges. */
export interface DialectProbe {
  readonly transport: string;
  /** Opens a connection that speaks in a framing; default: the protocol's. It is closed when the search is over. */
  open(framing?: "line" | "header"): Promise<Talk>;
}

/** Which dialect a target speaks, and how that was found out. */
export interface FoundDialect {
  /** The name of a profile. */
  readonly profile: string;
  /** The evidence that was found or missed; for people. */
  readonly reason: string;
}
