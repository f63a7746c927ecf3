import { type Agent, type AgentDefinition, type AgentSession, createAgent, RemoteError } from "@editwire/agent";
import { ToolError } from "@editwire/ide-tools";
import { historyOf } from "./history.js";
import type { Model } from "./model.js";
import { limitsOf } from "./limits.js";
import { modeAllows, modelOption, modeOption, sessionModes } from "./modes.js";
import { costOf, type Prices } from "./prices.js";
import { systemPrompt, userContent } from "./prompt.js";
import { type Rounds, runRounds } from "./rounds.js";
import { createSessionMcp } from "@editwire/agent/mcp";
import { withMcp } from "./tools/with-mcp.js";
import { localToolbox } from "./tools/local-toolbox.js";
import type { Toolbox } from "./tools/toolbox.js";

/** The options of the coding agent. */
export interface CodingAgentOptions
  extends Pick<AgentDefinition, "store" | "whenBusy" | "history" | "onDiagnostic" | "onError"> {
  readonly model: Model;
  /** The model's name, for its display. Default: it is not shown. */
  readonly modelName?: string | undefined;
  /** Default: not known, so that no costs are reported. */
  readonly prices?: Prices | undefined;
  /** Where its tools run. Default: in this process, in the session's folder. */
  readonly toolbox?: Toolbox | undefined;
  /** Answers of the model in one turn, after which it ends as `max_turn_requests`. Default 50. */
  readonly maxRounds?: number | undefined;
  /** Tokens that the model can take in, for the display of the usage. Default 128,000. */
  readonly contextTokens?: number | undefined;
}

/** The coding agent. The functions `toAcp`, `toEca`, `toKaiak` and `toHelixZed` of `@editwire/agent` serve it. */
export function createCodingAgent(options: CodingAgentOptions): Agent {
  const {
    model,
    modelName,
    prices,
    toolbox: ownTools = localToolbox(),
    maxRounds = 50,
    contextTokens = 128_000,
    ...shared
  } = options;
  const mcp = createSessionMcp({ onError: (error) => shared.onError?.(error, "mcp") });
  const toolbox = withMcp(ownTools, mcp);
  const conversations = new WeakMap<AgentSession, Rounds["history"]>();

  /** The conversation with the model. That of a session of an earlier process is made of its events. */
  const conversationOf = (session: AgentSession, said: number): Rounds["history"] => {
    const known = conversations.get(session) ?? historyOf(session.events.slice(0, said));
    conversations.set(session, known);
    return known;
  };

  return createAgent({
    ...shared,
    info: { name: "editwire-coding-agent", version: "0.1.0" },
    configOptions: [modeOption, ...(modelName === undefined ? [] : [modelOption(modelName)])],
    accepts: ["image", "audio", "resource"],
    mcpTypes: ["http", "sse"],
    released: (session) => mcp.release(session),
    async newSession({ cwd }) {
      try {
        await toolbox.open(cwd);
      } catch (error) {
        if (error instanceof ToolError) throw RemoteError.invalidParams(error.message, { cwd });
        throw error;
      }
    },
    async prompt(turn) {
      const { session, signal } = turn;
      const history = conversationOf(session, session.events.length - 1); // the last event is this prompt
      const modeId = (): string => session.modeId ?? sessionModes.currentModeId;
      const read = modeAllows(modeId(), "read") && toolbox.read !== undefined ? toolbox.read : undefined;
      return runRounds(await userContent(turn.prompt, read && ((path) => read(path, session.cwd))), {
        model,
        maxRounds: Math.min(maxRounds, limitsOf(turn).maxRounds),
        history,
        listener: turn,
        signal,
        system: () => systemPrompt(session.cwd, modeId()),
        tools: () => toolbox.offered(modeId(), session),
        steers: () => turn.takeSteers().map(({ text }) => text),
        usage: ({ input, output }) =>
          turn.usage({
            inputTokens: input,
            outputTokens: output,
            cost: costOf({ input, output }, prices),
            context: { used: input + output, size: contextTokens },
          }),
        runTool: (request) => toolbox.run(request, turn),
      });
    },
  });
}
