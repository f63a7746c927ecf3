import { fits } from "../../../core/talk/judge.js";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { accept } from "../accept.js";
import { carrier } from "../envelope.js";
import { table } from "../table.js";
import type { Json, Reader, Refusal } from "./server-behavior.js";

/** How the client takes what it cannot use: it goes on, or it gives up the connection. */
export type Reaction = "survive" | "die";

const kinds = ["progress", "ai_response", "tool_call", "user_interaction", "file_modification", "error", "system"];

/**
 * Every decision of the reference client, as the spec wants it. A mutant replaces one of them; the functions take what
 * they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightClient = {
  reader: (): Reader => new FrameCutter(),
  /** The reaction to bytes that are not a message. */
  noise: (): Reaction => "survive",
  outgoing: (message: Json): readonly unknown[] => [message],
  encode: (message: unknown): Uint8Array => encodeFrame(message, "header"),
  wrap: (command: string, params: Json): { method: string; params: unknown } => ({
    method: carrier,
    params: { command, arguments: [params] },
  }),
  /** Whether calls fail when the connection is lost. */
  failsAtEnd: true,

  sessionId: (count: number): string => `11111111-1111-4111-8333-${String(count).padStart(12, "0")}`,
  incidents: (incidents: unknown): unknown => incidents,
  configuration: (configuration: unknown): unknown => configuration,
  deleteParams: (session_id: string, force: unknown): Json => ({ session_id, force }),
  cancel: (id: number): readonly Json[] => [{ jsonrpc: "2.0", method: "$/cancelRequest", params: { id } }],
  /** Whether a run that is cancelled waits for the server. */
  waitsForCancelled: true,
  /** Whether the sessions of runs that failed can be used again. */
  reuses: true,
  /** The status of a run, as the caller sees it. */
  status: (status: unknown): unknown => status,
  /** The refusal, as the caller sees it. */
  failure: ({ code, data }: Refusal): Json => ({ code, ...(data !== undefined && { data }) }),

  /** The reaction to a notification. */
  onNote: (_kind: string, _params: Json): Reaction => "survive",
  knows: (kind: string, _content: Json = {}): boolean => kinds.includes(kind),
  /** The session that a notification is for, among those that are known. */
  owner: (named: unknown, known: readonly string[]): string | undefined => known.find((one) => one === named),
  /** The status of a tool call, as the user sees it. */
  toolStatus: (status: unknown): unknown => status,
  /** Whether a notification ends its run. */
  ends: (_kind: string, _content: Json): boolean => false,
  joined: (before: string, text: unknown): string => before + String(text),
  /** The params of what is sent for an answer of the user. */
  answer: (interaction_id: unknown, response: unknown): readonly Json[] => [
    { interaction_id, response_type: "file_approval", response_data: { response } },
  ],

  unknownRequest: (method: string): Refusal | undefined => ({ code: -32601, message: `Method not found: ${method}` }),
  unknownNotification: (_method: string): Reaction => "survive",
  /** Which open call an answer is for. */
  match: (id: unknown, open: readonly number[]): number | undefined => open.find((one) => one === id),
  strayAnswer: (): Reaction => "survive",
  /** Why a call fails for its result; null: it never ends. */
  resultProblem: (command: string, result: unknown): string | undefined | null =>
    fits(table, command, "result", accept(command, "result", result)) === false
      ? `the result of ${command} is malformed`
      : undefined,
};

/** The reference client's switches. */
export type ClientBehavior = typeof rightClient;
