import type { AcpAgent, AcpAgentSession } from "@editwire/acp";
import { RemoteError } from "@editwire/core";
import { openWorkspace, ToolError, type Workspace } from "@editwire/ide-tools";
import { runTurn } from "./loop.js";
import type { Model } from "./model.js";
import { modeOption, sessionModes } from "./modes.js";
import { userContent } from "./prompt.js";
import type { CodingSession } from "./session.js";

/** What the agent is made of. */
export interface CodingAgentOptions {
  readonly model: Model;
  /** Answers of the model in one turn, after which it ends as `max_turn_requests`. Default 50. */
  readonly maxRounds?: number | undefined;
  /** Tokens that the model can take in, for the display of the usage. Default 128,000. */
  readonly contextTokens?: number | undefined;
}

/** The coding agent, ready to be served over ACP. */
export function createCodingAgent({ model, maxRounds = 50, contextTokens = 128_000 }: CodingAgentOptions): AcpAgent {
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
        return session.modeId ?? sessionModes.currentModeId;
      },
    };
    sessions.set(session, opened);
    return opened;
  };

  return {
    modes: sessionModes,
    configOptions: [modeOption(sessionModes.currentModeId)],
    replaysOnLoad: true,
    info: { name: "editwire-coding-agent", version: "0.1.0" },
    capabilities: {
      loadSession: true,
      promptCapabilities: { audio: false, image: true, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: {},
    },
    async newSession(session) {
      await sessionOf(session);
    },
    // The mode is a mode and a setting: who changes one of them sees the other change.
    async setMode(session, modeId) {
      await session.update({ sessionUpdate: "config_option_update", configOptions: [modeOption(modeId)] });
    },
    async setConfigOption(session, _configId, modeId) {
      await session.update({ sessionUpdate: "current_mode_update", currentModeId: String(modeId) });
    },
    async prompt(turn) {
      const session = await sessionOf(turn.session);
      const content = await userContent(turn.prompt, session.workspace, session.modeId);
      return runTurn(content, session, turn, { model, maxRounds, contextTokens });
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
