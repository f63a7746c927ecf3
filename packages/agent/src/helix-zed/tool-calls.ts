import type { HelixZedAgentTurn, HelixZedToolCallChange } from "@editwire/helix-zed";
import { fenced, outputText } from "../shared/texts.js";
import { isEnd, type AgentToolCallState } from "../api/tool-call-state.js";
import { hunksOf } from "../shared/unified-diff.js";

/** The tool calls of one answer, as its host knows them: what a call shows only grows. */
export class HelixZedCalls {
  readonly #turn: HelixZedAgentTurn;
  readonly #calls = new Map<string, Shown>();

  constructor(turn: HelixZedAgentTurn) {
    this.#turn = turn;
  }

  /** Shows a call as it is now. */
  show(call: AgentToolCallState): void | Promise<void> {
    const shown = this.#calls.get(call.toolCallId) ?? this.#begin(call);
    if (isEnd(call.status)) this.#calls.delete(call.toolCallId);
    else this.#calls.set(call.toolCallId, shown);
    const text = textsOf(call)
      .filter((part) => !shown.texts.has(part))
      .map((part) => `${part}\n`);
    for (const part of textsOf(call)) shown.texts.add(part);
    return shown.update({ title: call.title, status: call.status, text: text.join("") });
  }

  #begin({ title, status }: AgentToolCallState): Shown {
    const texts = new Set<string>();
    if (this.#turn.traits.toolCalls) {
      const call = this.#turn.toolCall({ title, status });
      return { texts, update: (change) => call.update(change) };
    }
    const message = this.#turn.startMessage();
    void message.text(`**${title}**\n`);
    return {
      texts,
      update: ({ status: now = status, text = "" }) => message.text(isEnd(now) ? `${text}(${now})\n` : text),
    };
  }
}

interface Shown {
  readonly texts: Set<string>;
  readonly update: (
    change: HelixZedToolCallChange & { readonly status?: AgentToolCallState["status"] },
  ) => void | Promise<void>;
}

/** The texts of a call: its input and its diffs, and at its end its result. */
function textsOf(call: AgentToolCallState): string[] {
  const { input, contents, status } = call;
  const diffs = contents.flatMap((content) =>
    content.type === "diff" ? [fenced("diff", `--- ${content.path}\n${hunksOf(content)}`)] : [],
  );
  const output = isEnd(status) ? outputText(call) : "";
  return [
    ...(input === undefined || input === null ? [] : [fenced("json", JSON.stringify(input, undefined, 2))]),
    ...diffs,
    ...(output === "" ? [] : [fenced("", output)]),
  ];
}
