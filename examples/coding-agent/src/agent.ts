import { type AcpAgent, type AcpAgentSession, specCapabilities, specModes } from "@editwire/acp";
import { RemoteError } from "@editwire/core";
import { openWorkspace, ToolError, type Workspace } from "@editwire/ide-tools";
import { runTurn } from "./loop.js";
import type { Model } from "./model.js";
import { userContent } from "./prompt.js";
import type { CodingSession } from "./session.js";

/** What the agent is made of. */
export interface CodingAgentOptions {
  readonly model: Model;
  /** Answers of the model in one turn, after which it ends as `max_turn_requests`. Default 50. */
  readonly maxRounds?: number | undefined;
}

/** The coding agent, ready to be served over ACP. */
export function createCodingAgent({ model, maxRounds = 50 }: CodingAgentOptions): AcpAgent {
  const sessions = new WeakMap<AcpAgentSession, CodingSession>();

  /** The client may load a session with another folder. The conversation stays. */
  const sessionOf = async (session: AcpAgentSession): Promise<CodingSession> => {
    const known = sessions.get(session);
    if (known?.workspace.cwd === session.cwd) return known;
    const workspace = await openFolder(session.cwd);
    const opened: CodingSession = {
      workspace,
      history: known?.history ?? [],
      get modeId() {
        return session.modeId ?? specModes.currentModeId;
      },
    };
    sessions.set(session, opened);
    return opened;
  };

  return {
    modes: specModes,
    replaysOnLoad: true,
    info: { name: "editwire-coding-agent", version: "0.1.0" },
    capabilities: { ...specCapabilities, promptCapabilities: { audio: false, image: true, embeddedContext: true } },
    async newSession(session) {
      await sessionOf(session);
    },
    async prompt(turn) {
      const session = await sessionOf(turn.session);
      const content = await userContent(turn.prompt, session.workspace, session.modeId);
      return runTurn(content, session, turn, { model, maxRounds });
    },
  };
}

async function openFolder(cwd: string): Promise<Workspace> {
  try {
    return await openWorkspace(cwd);
  } catch (error) {
    if (error instanceof ToolError) throw RemoteError.invalidParams(error.message, { cwd });
    throw error;
  }
}
