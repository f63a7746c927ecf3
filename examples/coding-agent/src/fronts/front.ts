import type { AcpProfile } from "@editwire/acp";
import type { EcaProfile } from "@editwire/eca";
import type { HelixZedProfile } from "@editwire/helix-zed";
import type { Diagnostic } from "@editwire/agent";

/** Where ACP is served over HTTP, and the secret that callers have to know. */
export interface AcpListenSettings {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  /** `sse`: the specification's HTTP and server-sent events. `streamable`: Streamable HTTP and WebSockets. */
  readonly over: "sse" | "streamable";
}

/** How the agent is served over ACP. */
export interface AcpFront {
  readonly protocol: "acp";
  /** Absent: the dialect that the client is found to speak. */
  readonly profile: AcpProfile | undefined;
  /** Absent for stdin and stdout. */
  readonly listen: AcpListenSettings | undefined;
}

/** How the agent is served over ECA. */
export interface EcaFront {
  readonly protocol: "eca";
  readonly profile: EcaProfile;
  /** The Unix socket; absent for stdin and stdout. */
  readonly socket?: string | undefined;
  /** On stdin and stdout: end when the editor's process does. */
  readonly watchParent?: boolean | undefined;
}

/** How the agent is served over Kaiak. */
export interface KaiakFront {
  readonly protocol: "kaiak";
  /** The Unix socket; absent for stdin and stdout. */
  readonly socket: string | undefined;
}

/** Which Helix-Zed host the agent dials. */
export interface HelixZedFront {
  readonly protocol: "helix-zed";
  readonly url: string;
  /** The id under which the agent dials. */
  readonly session: string;
  readonly cwd: string;
  /**
   * Who decides whether a tool may run, as the host cannot ask the user: nobody, with everything allowed or rejected;
   * or the editors of other protocols, for which the agent waits.
   */
  readonly permission: "allow" | "reject" | "editors";
  readonly token: string | undefined;
  readonly profile: HelixZedProfile;
}

/** One protocol that the agent is served over. */
export type FrontSettings = AcpFront | EcaFront | KaiakFront | HelixZedFront;

/** A front that is open. */
export interface OpenFront {
  /** Resolves when the one client of stdin and stdout has gone; a listener has no end of its own. */
  readonly gone?: Promise<unknown> | undefined;
  close(): Promise<unknown>;
}

/** Called with the reports of a front. */
export interface FrontListeners {
  /** Called with what the user has to know: addresses, and what goes wrong. */
  readonly log: (text: string) => void;
  /** Called with what the user may want to know. */
  readonly detail: (text: string) => void;
  readonly onError: (error: unknown, method?: string) => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}
