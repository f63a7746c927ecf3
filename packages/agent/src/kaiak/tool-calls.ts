import type { KaiakServerTurn, KaiakToolCall, KaiakNewFileModification } from "@editwire/kaiak";
import type { Fact } from "../mapping/facts.js";
import { outputText } from "../shared/texts.js";
import {
  awaitsInput,
  inputObject,
  isEnd,
  type AgentToolCallDiff,
  type AgentToolCallState,
  type AgentToolCallStatus,
} from "../api/tool-call-state.js";
import { hunksOf } from "../shared/unified-diff.js";
import { riskOf } from "./policy.js";

/** The tool calls of one run, as its client knows them. */
export class KaiakCalls {
  readonly #turn: KaiakServerTurn;
  readonly #cwd: string;
  readonly #calls = new Map<string, Shown>();

  constructor(turn: KaiakServerTurn, cwd: string) {
    this.#turn = turn;
    this.#cwd = cwd;
  }

  /**
   * Shows a call as it is now. Clients recognize a call by its name, operation and parameters, so these stay as they
   * are when it is first shown, and a pending call is shown once its input is known. Returns what was not said of it.
   */
  async show(call: AgentToolCallState): Promise<readonly Fact[]> {
    const shown = this.#calls.get(call.toolCallId);
    if (shown === undefined && awaitsInput(call)) return [];
    const { kaiak, status, first, proposed } = shown ?? (await this.#begin(call));
    if (isEnd(call.status)) {
      this.#calls.delete(call.toolCallId);
      await this.#end(call, kaiak, proposed);
    } else {
      this.#calls.set(call.toolCallId, { kaiak, status: wordOf(call.status), first, proposed });
      if (status === "pending" && wordOf(call.status) === "executing") await kaiak.update("executing");
    }
    const isOther = first.title !== call.title || JSON.stringify(first.input) !== JSON.stringify(call.input);
    const isLost = isEnd(call.status) && call.status !== "completed" && unproposed(call, proposed).length > 0;
    return [...(isOther ? ["tool_input" as const] : []), ...(isLost ? ["tool_diff" as const] : [])];
  }

  /** The change as a Kaiak client shows it. Later, it is not shown again. */
  proposal(call: AgentToolCallState, diff: AgentToolCallDiff): KaiakNewFileModification {
    this.#calls.get(call.toolCallId)?.proposed.add(keyOf(diff));
    return this.#modification(diff);
  }

  async #begin(call: AgentToolCallState): Promise<Shown> {
    const { name = call.title, title } = call;
    const status = wordOf(call.status);
    const kaiak = await this.#turn.toolCall({ name, operation: title, arguments: inputObject(call) }, status);
    return { kaiak, status, first: call, proposed: new Set() };
  }

  async #end(call: AgentToolCallState, kaiak: KaiakToolCall, proposed: ReadonlySet<string>): Promise<void> {
    const output = outputText(call);
    if (call.status === "rejected") return kaiak.update("denied");
    if (call.status !== "completed") return kaiak.fail(output === "" ? call.status : output);
    for (const diff of unproposed(call, proposed)) await this.#turn.fileModification(this.#modification(diff));
    await kaiak.complete(output === "" ? undefined : output);
  }

  #modification(diff: AgentToolCallDiff): KaiakNewFileModification {
    return {
      file_path: relativeTo(this.#cwd, diff.path),
      operation: diff.oldText === undefined ? "create" : "modify",
      diff: hunksOf(diff),
      risk_level: riskOf(diff),
    };
  }
}

interface Shown {
  readonly kaiak: KaiakToolCall;
  readonly status: "pending" | "executing";
  /** The call as it was first shown. */
  readonly first: AgentToolCallState;
  /** The changes that the user was asked about. */
  readonly proposed: Set<string>;
}

/** The changes of files that a call makes. */
export function diffsOf({ contents }: AgentToolCallState): readonly AgentToolCallDiff[] {
  return contents.filter((content) => content.type === "diff");
}

/** The changes that the client was not shown before. */
function unproposed(call: AgentToolCallState, proposed: ReadonlySet<string>): readonly AgentToolCallDiff[] {
  return diffsOf(call).filter((diff) => !proposed.has(keyOf(diff)));
}

function wordOf(status: AgentToolCallStatus): "pending" | "executing" {
  return status === "pending" || status === "waiting" ? "pending" : "executing";
}

function keyOf({ path, newText }: AgentToolCallDiff): string {
  return `${path}\n${newText}`;
}

/** A path as seen from a folder; as it is, if it is elsewhere. */
function relativeTo(folder: string, path: string): string {
  const prefix = folder.endsWith("/") || folder.endsWith("\\") ? folder : folder + (folder.includes("\\") ? "\\" : "/");
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
