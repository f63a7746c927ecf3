import type { Diagnostic } from "@editwire/core";
import { helixZedProfiles } from "@editwire/helix-zed";
import { checkOptions } from "@editwire/session";
import type { Endpoint } from "./endpoint.js";

/** The protocols that a bridge speaks, on either side. */
export const protocols = ["acp", "eca", "kaiak", "helix-zed"] as const;

/** A protocol that a bridge speaks. */
export type BridgeProtocol = (typeof protocols)[number];

/** A dialect of Helix-Zed: the specification's, or what Helix and Zed spoke in 2026. */
export type HelixZedDialect = keyof typeof helixZedProfiles;

/** One side of a bridge. */
interface Side {
  readonly protocol: BridgeProtocol;
  readonly endpoint: Endpoint;
  /** The bearer token of a network endpoint: to demand on the editor's side, to send on the agent's. */
  readonly token?: string | undefined;
}

/** The side that an editor is on. */
export interface EditorSide extends Side {
  /** Helix-Zed names no folder: that of its threads. */
  readonly cwd: string;
  /** Helix-Zed cannot ask the user: what every permission request is answered. */
  readonly permission: "allow_once" | "reject_once";
}

/** The side that an agent is on. */
export interface AgentSide extends Side {
  /** The command of an agent on stdio, with its arguments. */
  readonly command: readonly string[];
}

/** A bridge. */
export interface BridgeOptions {
  readonly editor: EditorSide;
  readonly agent: AgentSide;
  /** The id under which a Helix-Zed agent dials, or this bridge does. */
  readonly id: string;
  /** The dialect in which Helix-Zed messages are written; both dialects are read. Default `spec`. */
  readonly helixZedProfile?: HelixZedDialect | undefined;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  /** Called with what goes wrong on a side: of the editor, or of the agent. */
  readonly onError: (error: unknown, side: "editor" | "agent") => void;
  /** Called with what an agent that is a command writes to stderr. */
  readonly onStderr: (text: string) => void;
  /** Called once with where an editor, or an agent that dials, connects. */
  readonly onListening: (side: "editor" | "agent", address: string) => void;
}

/** The options of a bridge, as one side of it has them. */
export interface SideOptions extends Omit<BridgeOptions, "onError"> {
  readonly onError: (error: unknown) => void;
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
  checkOptions(`${name}: agent`, options.agent, { ...side, command: "array" });
  checkThere(`${name}: agent`, options.agent, ["protocol", "endpoint", "command"]);
}

function checkThere(name: string, options: object, required: readonly string[]): void {
  const missing = required.find((key) => (options as Readonly<Record<string, unknown>>)[key] === undefined);
  if (missing !== undefined) throw new TypeError(`${name}: expected the option ${missing}, received none`);
}

/** Says that a protocol is not spoken at an endpoint. */
export function notServed(side: "editor" | "agent", { protocol, endpoint }: Side, served: string): TypeError {
  const received = endpoint.kind === "stdio" ? "stdio, which is the default" : `${endpoint.kind}:`;
  return new TypeError(`--${side}: ${protocol} expects ${served}; received ${received}`);
}
