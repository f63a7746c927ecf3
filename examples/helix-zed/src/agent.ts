import { acpProfiles } from "@editwire/acp";
import { spawnAcp } from "@editwire/acp/node";
import { fromAcp, isWireError, toHelixZed } from "@editwire/agent";
import { dialHelixZed } from "@editwire/helix-zed/node";
import { helixZedProfiles } from "@editwire/helix-zed";

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
  /** Whether stderr also has that the host is connected. */
  readonly verbose: boolean;
  readonly command: readonly string[];
}

/** Serves an ACP agent to the host until the process is ended. A thread and its ACP session have the same id. */
export function runAgent(options: AgentOptions): void {
  const { url, session, token, profile, acpProfile, cwd, yes, verbose, command } = options;
  const onError = (error: unknown): void => console.error(error);
  const onStderr = (text: string): void => void process.stderr.write(text);
  const dialect = acpProfile === undefined ? undefined : acpProfiles[acpProfile];
  const threads = fromAcp((handlers) => spawnAcp(command, { ...handlers, cwd, profile: dialect, onStderr }), {
    onError,
  });
  const served = toHelixZed(threads, { cwd, permission: yes ? "allow_once" : "reject_once" });
  const agent = dialHelixZed(served, {
    url,
    sessionId: session,
    token,
    profile: helixZedProfiles[profile],
    onError(error) {
      if (!isWireError(error, "not_connected")) onError(error); // onConnection says it in one line
    },
    onConnection(state) {
      if (state.connected && verbose) console.error("the host is connected");
      if (state.connected) return;
      if (state.retryMs === Infinity) console.error(state.reason.message);
      else console.error(`${state.reason.message}; trying again in ${Math.round(state.retryMs)} ms`);
    },
  });
  process.once("SIGTERM", () => void agent.close().then(() => threads.close()));
}
