import { existsSync } from "node:fs";
import { isObject } from "@editwire/core";
import { configurationDefaults } from "@editwire/kaiak-schema";
import type { CutFrame } from "../../../wire/framing.js";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { accept } from "../accept.js";
import { methodsFrom, takesParams } from "../samples.js";

/** A JSON object. */
export type Json = Record<string, unknown>;
/** The error of a refused request. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
/** Reads bytes. */
export interface Reader {
  push(chunk: Uint8Array): readonly CutFrame[];
}
/** How a run ended. */
export type Ending = "completed" | "failed" | "cancelled";
/** A question of a run. */
export interface Question {
  readonly options: readonly string[];
  /** Whether it was answered, or its time is over. */
  over: boolean;
  settle(answer: string | undefined): void;
}
/** A run of the reference server. */
export interface Run {
  readonly id: string;
  readonly session: Session;
  readonly params: Json;
  /** The id of its request, on its connection. */
  readonly call: unknown;
  readonly abort: AbortController;
  /** Resolves when it was answered. */
  readonly over: Promise<void>;
}
/** A session of the reference server. */
export interface Session {
  readonly id: string;
  run: Run | undefined;
  since: string;
  messages: number;
}

const refuse = (code: number, message: string, data?: unknown): Refusal => ({
  code,
  message,
  ...(data !== undefined && { data }),
});

/** The time now. */
export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/** An object, or an empty one. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/**
 * Every decision of the reference server, as the spec wants it. A mutant replaces one of them; the functions take what
 * they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightServer = {
  reader: (): Reader => new FrameCutter(),
  /** Last chance to change, drop or repeat a message. */
  outgoing: (message: Json): readonly unknown[] => [message],
  encode: (message: unknown): Uint8Array => encodeFrame(message, "header"),
  /** Hands bytes to the wire: when, and in which pieces. */
  write: (bytes: Uint8Array, put: (bytes: Uint8Array) => void): void => put(bytes),
  /** Whether the connection ends when its input does. */
  endsWithInput: true,
  notJson: (_problem?: string): readonly Json[] | "die" => [
    { jsonrpc: "2.0", id: null, error: refuse(-32700, "Parse error") },
  ],
  notRpc: (_message: unknown): readonly Json[] => [
    { jsonrpc: "2.0", id: null, error: refuse(-32600, "Invalid Request") },
  ],
  unknownRequest: (method: string): Refusal | undefined => refuse(-32601, `Method not found: ${method}`),
  unknownCommand: (command: string): Refusal | undefined =>
    refuse(-32601, `Unknown command: ${command}`, { requested_method: command }),
  unknownNotification: (_method: string): readonly Json[] | "die" => [],
  /** The fault in the params of `workspace/executeCommand`. */
  carrierProblem({ command, arguments: list }: Json): Refusal | undefined {
    if (typeof command !== "string") return refuse(-32602, "command: expected a string", { field: "command" });
    if (Array.isArray(list) && list.length > 0) return undefined;
    return refuse(-32602, "arguments: expected a list of one", { field: "arguments" });
  },
  /** The answers to the requests of language clients. */
  lspResult: (method: string): Json | null | undefined =>
    method === "initialize" ? { capabilities: {} } : method === "shutdown" ? null : undefined,
  paramsProblem(method: string, params: unknown): Refusal | undefined {
    if (!methodsFrom("client", "request").includes(method)) return undefined;
    return takesParams(method, accept(method, "params", params))
      ? undefined
      : refuse(-32602, `${method}: invalid params`);
  },
  /** The params as the server reads them. */
  read: (params: Json): Json => Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)),
  /** The result of a request, once it is made. */
  result: (_method: string, result: unknown): unknown => result,

  directoryProblem: (directory: string): Refusal | undefined =>
    existsSync(directory)
      ? undefined
      : refuse(-32014, "Configuration error: Invalid workspace directory", {
          field: "workspace.working_dir",
          details: `Directory '${directory}' does not exist`,
        }),
  /** Why a configuration is refused for what came before it. */
  againProblem: (_resetsExisting: boolean): Refusal | undefined => undefined,
  applied(configuration: Json): Json {
    const sections = Object.entries(configurationDefaults as Json);
    const entries = sections.map(([name, own]) => [name, { ...objectOf(own), ...objectOf(configuration[name]) }]);
    return Object.fromEntries(entries) as Json;
  },

  /** Why a run of a session that is not known is refused. */
  unknownSession: (_id: string): Refusal | undefined => undefined,
  inUse: ({ id, since }: Session): Refusal | undefined =>
    refuse(-32016, "Session is currently in use by another client", { session_id: id, in_use_since: since }),
  /** The notifications to send in place of one. */
  notes: (kind: string, content: Json): readonly (readonly [kind: string, content: Json])[] => [[kind, content]],
  requestId: (count: number): string => `req-${count}`,
  /** Called after the answer to a run, to send more. */
  afterwards: (_send: (kind: string, content: Json) => void): void => {},
  /** Whether a session is free when its run has ended. */
  releases: (_how: Ending | "late" | "lost"): boolean => true,
  /** Whether a run waits for the others. */
  oneRunInAll: false,
  /** Whether requests are answered while something runs. */
  responsive: true,
  /** How a run ends, from how it went. */
  status: (how: Ending | "late"): string => (how === "late" ? "failed" : how),
  /** Milliseconds that a run may take. */
  limit: (options: Json): number => Number(options["max_processing_time"] ?? 300) * 1_000,
  /** The runs that a cancel ends. */
  cancels: (id: unknown, runs: readonly Run[]): readonly Run[] => runs.filter(({ call }) => call === id),
  /** The id of the question with a number. */
  questionId: (number: number): string => `interaction-${number}`,
  /** Whether questions wait for an answer. */
  waits: true,
  answerProblem(id: unknown, question: Question | undefined, answer: unknown): Refusal | undefined {
    const data = { interaction_id: id };
    if (question === undefined) return refuse(-32009, "Interaction not found", data);
    if (question.over) return refuse(-32010, "Interaction already responded", data);
    if (question.options.some((option) => option === answer)) return undefined;
    return refuse(-32011, "Response validation failed", data);
  },
  /** The answer to a question, as the run reads it. */
  answered: (answer: string): string => answer,
  /** Milliseconds that a question waits. */
  patience: (timeout: number): number => timeout * 1_000,
  /** The answer to use when none arrives in time. */
  unanswered: (fallback: string): string | undefined => fallback,
  /** The answer in a `kaiak/client/user_message`, and the question that it is for; undefined: not understood. */
  userMessage({ payload }: Json): { id: unknown; answer: unknown } | undefined {
    const { request_id: id, action, user_data } = objectOf(payload);
    return id === undefined ? undefined : { id, answer: action === "allow_once" ? "approve" : (action ?? user_data) };
  },

  deleteProblem(id: string, session: Session | undefined, force: boolean): Refusal | undefined {
    if (session === undefined) return refuse(-32003, "Session not found", { session_id: id });
    return session.run === undefined || force ? undefined : rightServer.inUse(session);
  },
  /** The runs that end before a session is deleted by force. */
  cancelsAtDelete: (own: Run, _all: Iterable<Run>): Iterable<Run> => [own],
  /** Whether a deleted session is forgotten. */
  forgets: true,
  /** Whether the server goes on when a client leaves during a run. */
  survivesLoss: true,
};

/** The reference server's switches. */
export type ServerBehavior = typeof rightServer;
