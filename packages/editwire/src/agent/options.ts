import type { Diagnostic } from "@editwire/core";
import type { helixZedProfiles } from "@editwire/helix-zed";
import type { Endpoint } from "./endpoint.js";

/** The protocols that agents are reached in. */
export const protocols = ["acp", "eca", "kaiak", "helix-zed"] as const;

/** A protocol of `protocols`. */
export type BridgeProtocol = (typeof protocols)[number];

/** A dialect of Helix-Zed: the specification's, or what Helix and Zed spoke in 2026. */
export type HelixZedDialect = keyof typeof helixZedProfiles;

/** One side of a bridge. */
export interface Side {
  readonly protocol: BridgeProtocol;
  readonly endpoint: Endpoint;
  /** The bearer token of a network endpoint: to demand on the editor's side, to send on the agent's. */
  readonly token?: string | undefined;
}

/** The side that an agent is on. */
export interface AgentSide extends Side {
  /** The command of an agent on stdio, with its arguments. */
  readonly command: readonly string[];
  /** Environment variables to add for the command. Default none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** How an agent is reached. */
export interface AgentOptions {
  readonly agent: AgentSide;
  /** The id under which a Helix-Zed agent dials, or this program does. */
  readonly id: string;
  /** The dialect in which Helix-Zed messages are written; both dialects are read. Default `spec`. */
  readonly helixZedProfile?: HelixZedDialect | undefined;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  /** `where` is a method; it is `open` for an agent that is not reached, and `closed` for one that is lost. */
  readonly onError: (error: unknown, where?: string) => void;
  /** Called with what an agent that is a command writes to stderr. */
  readonly onStderr: (text: string) => void;
  /** Called once with where an editor, or an agent that dials, connects. */
  readonly onListening: (side: "editor" | "agent", address: string) => void;
}

/** Says that a protocol is not spoken at an endpoint. */
export function notServed(side: "editor" | "agent", { protocol, endpoint }: Side, served: string): TypeError {
  const received = endpoint.kind === "stdio" ? "stdio, which is the default" : `${endpoint.kind}:`;
  return new TypeError(`--${side}: ${protocol} expects ${served}; received ${received}`);
}
