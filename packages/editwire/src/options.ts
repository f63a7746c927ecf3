import type { Diagnostic } from "@editwire/core";
import type { helixZedProfiles } from "@editwire/helix-zed";
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
  /** The id under which an agent of Helix-Zed dials, or this bridge does. */
  readonly id: string;
  /** What is written over Helix-Zed; both dialects are read. Default `spec`. */
  readonly helixZedProfile?: HelixZedDialect | undefined;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onError: (error: unknown) => void;
  /** Called once with where an editor, or an agent that dials, connects. */
  readonly onListening: (side: "editor" | "agent", address: string) => void;
}

/** Says that a protocol is not spoken at an endpoint. */
export function notServed(side: "editor" | "agent", { protocol, endpoint }: Side, served: string): TypeError {
  return new TypeError(`--${side} ${endpoint.kind}: the ${side} side of ${protocol} is ${served}`);
}
