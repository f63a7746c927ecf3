import type { EcaServerTurn } from "@editwire/eca";
import {
  type Model,
  runRounds,
  systemPrompt,
  ToolError,
  type TurnEnd,
  type UserContent,
} from "@editwire/example-coding-agent";
import { commandIn, type NativeCommand } from "./commands.js";
import { readContexts } from "./contexts/read.js";
import { repoMap } from "./contexts/repo-map.js";
import type { Folders } from "./folders.js";
import type { McpServers } from "./mcp/servers.js";
import { type ChatMemory, memoryOf } from "./memory.js";
import type { OwnTool } from "./own-tool.js";
import { costOf, type Prices } from "./prices.js";
import { offeredTools, runTool } from "./run-tool.js";

/** What every chat works with. */
export interface Chats {
  /** Throws a `RemoteError` for the user when nobody is signed in. */
  readonly model: () => Model;
  readonly modelName: string;
  readonly prices: Prices | undefined;
  readonly mcp: McpServers;
  /** The tools of this server itself, at a moment. */
  readonly ownTools: (folders: Folders) => readonly OwnTool[];
  readonly maxRounds: number;
}

/** The modes of the coding agent that stand behind ECA's behaviors. */
const modes: Readonly<Record<string, string>> = { agent: "full", plan: "read-only" };

/** Texts for the ends that need a word. */
const ends: Readonly<Partial<Record<TurnEnd, string>>> = {
  refusal: "The model refused this prompt, so it is no part of the conversation.",
  max_tokens: "The model's answer was cut off at its limit.",
  max_turn_requests: "The turn is over: the model asked for too many tools in a row.",
};

/** Runs one prompt: a command, or a turn with the model. The user sees what is wrong with a command. */
export async function runPrompt(turn: EcaServerTurn, folders: Folders, chats: Chats): Promise<void> {
  const state = memoryOf(turn.session);
  const before = state.busy;
  let release = (): void => {};
  state.busy = new Promise((resolve) => (release = resolve));
  try {
    await before;
    await run(turn, state, folders, chats);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    await turn.notice(error.message);
  } finally {
    release();
  }
}

async function run(turn: EcaServerTurn, state: ChatMemory, folders: Folders, chats: Chats): Promise<void> {
  const command = commandIn(turn.promptText, chats.mcp);
  state.prompts.set(turn.contentId, { at: state.history.length, said: command?.type !== "native" });
  if (command?.type === "native")
    return turn.notice(await native[command.name]({ state, folders, chats, signal: turn.signal }));

  const message =
    command === undefined
      ? turn.promptText
      : await chats.mcp.prompt(command.server, command.name, command.args, turn.signal);
  if (turn.contexts.length > 0) await turn.progress("Parsing given context");
  const contexts = await readContexts(turn.contexts, { folders, mcp: chats.mcp }, turn.signal);
  await turn.progress("Generating");
  const end = await talk([...contexts, { type: "text", text: message }], state, turn, folders, chats);
  if (end === "refusal") state.prompts.set(turn.contentId, { at: state.history.length, said: false });
  const word = ends[end];
  if (word !== undefined) await turn.notice(word);
}

async function talk(
  content: UserContent,
  { history, prompts, used }: ChatMemory,
  turn: EcaServerTurn,
  folders: Folders,
  chats: Chats,
): Promise<TurnEnd> {
  const { mcp, ownTools, prices, maxRounds } = chats;
  const model = chats.model();
  const modeId = modes[turn.behavior ?? ""] ?? "read-only";
  return runRounds(content, {
    model,
    maxRounds,
    history,
    listener: { text: (text) => turn.text(text), thought: (text) => turn.thought(text) },
    signal: turn.signal,
    system: () => systemPrompt(folders.main?.cwd ?? "no folder", folders.main === undefined ? "sandbox" : modeId),
    tools: () => offeredTools({ folders, mcp, own: ownTools(folders), modeId }),
    runTool: (request) => runTool(request, { turn, folders, mcp, own: ownTools(folders), modeId }),
    steers: () =>
      turn.takeSteers().map(({ text, contentId }, index) => {
        prompts.set(contentId, { at: history.length + index, said: true });
        return text;
      }),
    usage(usage) {
      const cost = costOf(usage, prices);
      used.input += usage.input;
      used.output += usage.output;
      used.cost += cost ?? 0;
      return turn.usage({ inputTokens: usage.input, outputTokens: usage.output, cost });
    },
  });
}

interface CommandSetting {
  readonly state: ChatMemory;
  readonly folders: Folders;
  readonly chats: Chats;
  readonly signal: AbortSignal;
}

const native: Readonly<Record<NativeCommand, (setting: CommandSetting) => string | Promise<string>>> = {
  costs({ state: { used }, chats: { prices } }) {
    const cost = prices === undefined ? "The price of the model is not known." : `Cost: $${used.cost.toFixed(4)}`;
    return `Tokens sent: ${used.input}\nTokens received: ${used.output}\n${cost}`;
  },
  doctor({ folders, chats: { modelName, mcp } }) {
    const opened = folders.all.length === 0 ? ["No folder is open."] : folders.all.map(({ cwd }) => `Folder: ${cwd}`);
    const servers = mcp.all.map(
      ({ config, status, failure, offer }) =>
        `MCP server ${config.name}: ${failure ?? `${status}, ${offer.tools.length} tools`}`,
    );
    return [`Model: ${modelName}`, ...opened, ...servers].join("\n");
  },
  "repo-map": async ({ folders, signal }) =>
    (await Promise.all(folders.all.map((folder) => repoMap(folder, signal)))).join("\n") || "No folder is open.",
};
