import { encodeFrame } from "../../../wire/framing.js";
import type { Json, Refusal } from "./agent-behaviour.js";

/** Every decision of the reference client, as the spec wants it. A mutant replaces one of them. */
export const rightClient = {
  /** Last chance to change, drop or repeat a message. */
  outgoing: (message: Json): readonly unknown[] => [message],
  /** The bytes of one message. */
  encode: (message: unknown): Uint8Array => encodeFrame(message, "line"),
  /** Requests that are sent before `initialize`. */
  beforeInitialize: (): readonly { method: string; params: unknown }[] => [],
  initializeParams: (): unknown => ({
    protocolVersion: 1,
    clientInfo: { name: "conformance-reference", version: "1.0.0" },
    clientCapabilities: {},
  }),
  newSessionParams: (cwd: unknown): unknown => ({ cwd: typeof cwd === "string" ? cwd : "/tmp", mcpServers: [] }),
  promptBlocks: (text: string): unknown => [{ type: "text", text }],
  /** Whether a second prompt goes out while a turn runs. */
  promptWhileBusy: false,
  /** The answer to a permission request; `choice` is an option's id or `cancelled`. */
  permissionResult: (choice: string, _params: Json): unknown => ({
    outcome: choice === "cancelled" ? { outcome: "cancelled" } : { outcome: "selected", optionId: choice },
  }),
  /** The answer to a permission request that was open at `session/cancel`; `undefined`: none. */
  permissionAfterCancel: (_params: Json): unknown => ({ outcome: { outcome: "cancelled" } }),
  /** Whether an update is borne. */
  readsUpdate: (_update: unknown): boolean => true,
  unknownRequest: (method: string): Refusal | undefined => ({ code: -32601, message: `unknown method: ${method}` }),
  unknownNotification: (_method: string): readonly Json[] => [],
};

/** The reference client's switches. */
export type ClientBehaviour = typeof rightClient;
