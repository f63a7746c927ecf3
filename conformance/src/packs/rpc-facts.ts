import type { CaseContext } from "../core/run/context.js";
import type { Json, PackFacts } from "./facts.js";

/** The ids of the requirements that the packs judge in targets that answer requests. */
export interface RpcRequirements {
  /** A request is answered, whatever is wrong with it. */
  readonly answered: string;
  /** A request with wrong params is refused. Absent: any answer will do. */
  readonly refused?: string | undefined;
  /** Params with something wrong inside of a field are refused. Absent: the protocol leaves that open. */
  readonly inside?: string | undefined;
  /** Wrong params are refused with -32602. Absent: the protocol leaves the code open. */
  readonly coded?: string | undefined;
  /** An unknown request is refused with -32601. */
  readonly unknownRequest: string;
  /** A notification is not answered. */
  readonly silent: string;
  /** A request is answered once. */
  readonly once: string;
  /** The connection survives a message of the wrong kind. */
  readonly lives: string;
  /** A request is answered whatever its id. */
  readonly anyId: string;
}

/** Facts about a protocol with which the packs judge a target that answers the requests of JSON-RPC. */
export interface RpcFacts<T extends CaseContext = CaseContext> extends PackFacts<T> {
  /** The role that the suite plays. */
  readonly peer: string;
  readonly requirements: RpcRequirements;
  /** Requests that only make sense as the first message, such as `initialize`. */
  readonly first: readonly string[];
  /** Messages that end the target, which no case sends in another form. */
  readonly ends: readonly string[];
  /**
   * Undoes a request with wrong params that was not refused, where a target keeps its params for every connection.
   * Default: nothing is kept.
   */
  restore?(t: T, method: string): Promise<void>;
  /** Requests whose answer is the end of a turn. Default: none. */
  readonly turns?: readonly string[] | undefined;
  /** A request that the target answers with a result at any time. Default: one of an unknown method, and an error. */
  readonly simple?: string | undefined;
  /** The methods that the target is judged by. Default: all of the table. */
  readonly judges?: ((method: string) => boolean) | undefined;
  /** Says whether an answer without an error is a refusal, too. Default: none is. */
  readonly isRefusal?: ((result: unknown) => boolean) | undefined;
  /** Requests that may be accepted whatever their params are, unless `exception` names a requirement. */
  readonly indifferent: readonly string[];
  /** Another requirement than `answered` and `refused` for one way in which the params of a method are wrong. */
  readonly exception?: ((method: string, wrong: string) => string | undefined) | undefined;
  /** Requests that a target need not have; it refuses them with -32601. Default: none. */
  readonly mayLack?: readonly string[] | undefined;
  /** Codes beside -32602 for a method's wrong params. Default: none. */
  readonly otherCodes?: ((method: string) => readonly number[]) | undefined;
  /** Codes beside -32601 for a request that the target does not have. Default: none. */
  readonly unknownCodes?: ((method: string) => readonly number[]) | undefined;
  /** Whether no code is expected for it, because some dialects take it. Default: a code is expected. */
  readonly uncoded?: ((method: string, wrong: string) => boolean) | undefined;
  /**
   * Whether a transport needs a request, or needs to know what it is about, and so refuses others. Default: it does
   * not.
   */
  readonly routed?: ((transport: string, method: string) => boolean) | undefined;
  /** Valid params of a method in the target's form, with everything that may be broken in them. */
  examples(method: string): readonly Readonly<Json>[];
  /** Says whether params are valid in any form that a peer may write. */
  isValid(method: string, params: unknown): boolean;
  /** Makes params about what exists: opens a session where they name one. */
  adapt(t: T, params: Readonly<Json>): Promise<Json>;
  /** Makes the handshake if nobody did. */
  ready(t: T): Promise<void>;
  /** Shows that the target still answers. */
  alive(t: T): Promise<void>;
}

/** Milliseconds for the first answer of a process that has to start for it. */
export const START_MS = 20_000;
