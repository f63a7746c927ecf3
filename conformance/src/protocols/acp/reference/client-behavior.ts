import { isObject, methodOf } from "@editwire/core";
import { fits } from "../../../core/talk/judge.js";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { acceptV1 } from "../accept.js";
import { table } from "../table.js";
import { rightServices } from "./client-services.js";
import type { Framing, Json, Reader, Refusal } from "./agent-behavior.js";

/** The user's answer to every permission request. */
export type Policy = "allow" | "reject" | "cancel" | "hold";
/** When an update comes: in a turn, in one that was canceled, between turns, or of a session that is not open (yet). */
export type When = "turn" | "cancelled" | "idle" | "unknown";
/** How the client takes what it cannot use: it goes on, or it gives up the connection. */
export type Reaction = "survive" | "die";
/** The client's reaction to an update: it shows it, overlooks it, or gives up the connection. */
export type Taking = Reaction | "overlook";

const askMethod = "session/request_permission";
const cancelled = { outcome: { outcome: "cancelled" } };
const object = (value: unknown): Json => (isObject(value) ? value : {});
/** Takes the wrapper of tool output off, where there is one. */
const unwrap = (item: Json): Json => (item["type"] === "content" ? object(item["content"]) : item);

/** Whether the capability that the method table demands is among those of an agent. */
function declares(capabilities: Json, method: string): boolean {
  const path = methodOf(table, method)?.capability?.split(".") ?? [];
  const found = path.reduce<unknown>((inner, key) => object(inner)[key], capabilities);
  return path.length === 0 || found === true || isObject(found);
}

/**
 * Every decision of the reference client, as the spec wants it. A mutant replaces one of them; the functions take what
 * they need as arguments and share no state, so that a replacement can call the right one.
 */
export const rightClient = {
  ...rightServices,
  /** Whether it does for agents what a method asks for. */
  serves: (_method: string): boolean => false,
  /** Why it does not sign in with a method, of those that the agent offers. */
  signInProblem(methodId: unknown, authMethods: readonly Json[]): string | undefined {
    const found = authMethods.find(({ id }) => id === methodId);
    if (found === undefined) return authMethods.length > 0 ? "the agent does not offer this method" : undefined;
    return found["type"] === "terminal" ? "this method needs a terminal" : undefined;
  },
  /** Last chance to change, drop or repeat a message. */
  outgoing: (message: Json): readonly unknown[] => [message],
  /** The bytes of one message. */
  encode: (message: unknown, framing: Framing): Uint8Array => encodeFrame(message, framing),
  /** How bytes are read by a client that writes in a framing; one reader for each connection. */
  reader: (_framing: Framing): Reader => new FrameCutter(),
  badBytes: (): Reaction => "survive",

  /** Requests that are sent before `initialize` is. */
  beforeInitialize: (): readonly { method: string; params: unknown }[] => [],
  /** Requests that are sent right behind it. */
  behindInitialize: (): readonly { method: string; params: unknown }[] => [],
  /** Requests that are sent once it is answered. */
  afterInitialize: (): readonly { method: string; params: unknown }[] => [],
  initializeParams: (): unknown => ({
    protocolVersion: 1,
    clientInfo: { name: "conformance-reference", version: "1.0.0" },
    clientCapabilities: {},
  }),
  /** Why the client does not go on with an agent. */
  initializeProblem: ({ protocolVersion }: Json): string | undefined =>
    protocolVersion === 1 ? undefined : "the agent speaks another version",

  sessionParams: (cwd: unknown): Json => ({ cwd, mcpServers: [] }),
  /** Why a session that the agent opened cannot be used. */
  sessionProblem: (_result: Json): string | undefined => undefined,
  /** Why a call fails for its result; null: it never ends. */
  resultProblem(method: string, result: unknown): string | undefined | null {
    // Every stop reason ends the turn.
    if (method === "session/prompt" && isObject(result) && typeof result["stopReason"] === "string") return undefined;
    const isRight = fits(table, method, "result", acceptV1(method, "result", result)) !== false;
    return isRight ? undefined : `the result of ${method} is malformed`;
  },
  sessionIdOf: (result: Json): string => String(result["sessionId"]),
  mayLoad: (agentCapabilities: Json): boolean => agentCapabilities["loadSession"] === true,
  /** Whether the agent offers a method that not every agent has. */
  mayCall: (method: string, agentCapabilities: Json): boolean => declares(agentCapabilities, method),
  modeProblem: (modes: Json, modeId: unknown): string | undefined =>
    Array.isArray(modes["availableModes"]) && modes["availableModes"].some((mode: Json) => mode["id"] === modeId)
      ? undefined
      : "the session does not offer this mode",
  authenticateParams: (methodId: unknown): unknown => ({ methodId }),
  authenticateProblem: (_result: Json): string | undefined => undefined,
  setModeParams: (sessionId: string, modeId: unknown): unknown => ({ sessionId, modeId }),

  promptParams: (sessionId: string, prompt: unknown): unknown => ({
    sessionId,
    prompt: typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt,
  }),
  /** Whether the agent takes a content block. */
  mayPrompt({ type }: Json, agentCapabilities: Json): boolean {
    const can = object(agentCapabilities["promptCapabilities"]);
    if (type === "image" || type === "audio") return can[type] === true;
    return type !== "resource" || can["embeddedContext"] === true;
  },
  /** Whether a prompt is sent in a session of its own. */
  promptsAnew: false,
  /** The handling of a prompt while a turn runs, of the same session (`own`) or of another one. */
  whileBusy: (own: boolean): "send" | "refuse" | "queue" => (own ? "refuse" : "send"),
  /** Whether an answer to a prompt ends the turn. */
  ends: (_answer: { readonly stopReason?: unknown; readonly error?: Json | undefined }): boolean => true,
  /** The stop reason that is reported for the agent's. */
  told: (stopReason: unknown): unknown => stopReason,
  /** The reaction to an error answer. */
  atError: (_method: string, _error: Json, _cancelled: boolean): Reaction => "survive",
  /** Whether calls fail when the connection is lost. */
  failsAtEnd: true,

  cancelMessages: (sessionId: string, _freshId: number): readonly Json[] => [
    { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } },
  ],
  /** The option that a user's will means; `undefined`: none. */
  choose(policy: Policy, options: readonly Json[]): Json | undefined {
    if (policy !== "allow" && policy !== "reject") return undefined;
    return (
      options.find(({ kind }) => kind === `${policy}_once`) ?? options.find(({ kind }) => kind === `${policy}_always`)
    );
  },
  permissionResult: (option: Json | undefined): unknown =>
    option === undefined ? cancelled : { outcome: { outcome: "selected", optionId: option["optionId"] } },
  /** The sessions whose open permission requests are answered when a turn of one is canceled. */
  answersAtCancel: <T>(session: T, _all: readonly T[]): readonly T[] => [session],
  /** The answer to a request that is open at `session/cancel`; `undefined`: none. */
  permissionAtCancel: (_params: Json): unknown => cancelled,
  /** The answer to a request that comes later in the canceled turn; `undefined`: as if it were not canceled. */
  permissionAfterCancel: (_params: Json): unknown => cancelled,
  /** The answer to a request of a session that is not open; `undefined`: none. */
  permissionOfUnknown: (_params: Json): unknown => cancelled,
  permissionProblem: (params: unknown): Refusal | undefined =>
    fits(table, askMethod, "params", acceptV1(askMethod, "params", params)) === true
      ? undefined
      : { code: -32602, message: "expected sessionId, toolCall and options" },

  unknownRequest: (method: string): Refusal | undefined => ({ code: -32601, message: `unknown method: ${method}` }),
  /** The messages sent for a notification of an unknown method. */
  unknownNotification: (_method: string): readonly Json[] | "die" => [],
  /** The request that an answer belongs to. */
  match: (id: unknown, open: readonly number[]): number | undefined => open.find((one) => one === id),
  strayAnswer: (_id: unknown): Reaction => "survive",

  /** Whether an update is borne. */
  update: (_update: unknown, _when: When): Taking => "survive",
  /** The session in which an update is shown, of those that are open. */
  shownIn: (sessionId: string, _open: readonly string[]): string => sessionId,
  /** The part of a message that is shown as text. */
  textOf: (content: Json): string => (content["type"] === "text" ? String(content["text"]) : ""),
  /** The part of a tool's output that is shown as text. `_place` is the index of the item in the output. */
  toolTextOf: (item: Json, _place: number): string => String(unwrap(item)["text"] ?? ""),
  /** The output of a tool after an update, which may have none. */
  toolOutputOf: (before: string, output: string | undefined): string => output ?? before,
  toolStatusOf: (before: unknown, { status = before }: Json): unknown => status,
  planOf: (_before: readonly unknown[], entries: readonly unknown[]): readonly unknown[] => entries,
  modeOf: ({ currentModeId }: Json): unknown => currentModeId,
  /** The mode that a session begins in. */
  firstModeOf: ({ currentModeId }: Json): unknown => currentModeId,
};

/** The reference client's switches. */
export type ClientBehavior = typeof rightClient;
