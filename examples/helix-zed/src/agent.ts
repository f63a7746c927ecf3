import { acpProfiles } from "@editwire/acp-schema";
import { dialHelixZed } from "@editwire/helix-zed/node";
import { helixZedProfiles } from "@editwire/helix-zed";
import { AcpThreads } from "./acp-threads.js";

/** Which host is served, and by which ACP agent. */
export interface AgentOptions {
  readonly url: string;
  readonly session: string;
  readonly token?: string | undefined;
  readonly profile: keyof typeof helixZedProfiles;
  /** Absent: the dialect that the agent is found to speak. */
  readonly acpProfile?: keyof typeof acpProfiles | undefined;
  readonly cwd: string;
  readonly yes: boolean;
  readonly command: readonly string[];
}

/** Serves an ACP agent to the host until the process is ended. */
export function runAgent({ url, session, token, profile, acpProfile, cwd, yes, command }: AgentOptions): void {
  const dialect = acpProfile === undefined ? undefined : acpProfiles[acpProfile];
  const threads = new AcpThreads({
    command,
    cwd,
    profile: dialect,
    permission: async () => (yes ? "allow_once" : "reject_once"),
    onStderr: (text) => process.stderr.write(text),
  });
  const agent = dialHelixZed(threads, {
    url,
    sessionId: session,
    token,
    profile: helixZedProfiles[profile],
    onError: (error) => console.error(error),
    onConnection: (state) =>
      console.error(
        state.connected
          ? "the host is connected"
          : `${state.reason.message}; trying again in ${Math.round(state.retryMs)} ms`,
      ),
  });
  process.once("SIGTERM", () => void agent.close().then(() => threads.close()));
}
