import { helixZedProfiles } from "@editwire/helix-zed";
import { checkOptions } from "@editwire/session";
import { type AgentOptions, protocols, type Side } from "../agent/options.js";

/** The side that an editor is on. */
export interface EditorSide extends Side {
  /** Helix-Zed names no folder: that of its threads. */
  readonly cwd: string;
  /** Helix-Zed cannot ask the user: what every permission request is answered. */
  readonly permission: "allow_once" | "reject_once";
}

/** A bridge. */
export interface BridgeOptions extends Omit<AgentOptions, "onError"> {
  readonly editor: EditorSide;
  /** Called with what goes wrong on a side: of the editor, or of the agent. */
  readonly onError: (error: unknown, side: "editor" | "agent") => void;
}

/** The options of a bridge, as the editor's side of it has them. */
export interface EditorOptions extends AgentOptions {
  readonly editor: EditorSide;
}

const side = { protocol: protocols, endpoint: "object", token: "secret" } as const;
const functions = {
  onDiagnostic: "function",
  onError: "function",
  onStderr: "function",
  onListening: "function",
} as const;

/** Throws a `TypeError` for wrong options of `openBridge`. */
export function checkBridge(options: BridgeOptions): void {
  const name = "openBridge";
  const dialects = Object.keys(helixZedProfiles);
  const kinds = { editor: "object", agent: "object", id: "text", helixZedProfile: dialects, ...functions } as const;
  checkOptions(name, options, kinds);
  const { helixZedProfile: _, ...required } = kinds;
  checkThere(name, options, Object.keys(required));
  const answers = ["allow_once", "reject_once"];
  checkOptions(`${name}: editor`, options.editor, { ...side, cwd: "text", permission: answers });
  checkThere(`${name}: editor`, options.editor, ["protocol", "endpoint", "cwd", "permission"]);
  checkOptions(`${name}: agent`, options.agent, { ...side, command: "array", env: "object" });
  checkThere(`${name}: agent`, options.agent, ["protocol", "endpoint", "command"]);
}

function checkThere(name: string, options: object, required: readonly string[]): void {
  const missing = required.find((key) => (options as Readonly<Record<string, unknown>>)[key] === undefined);
  if (missing !== undefined) throw new TypeError(`${name}: expected the option ${missing}, received none`);
}
