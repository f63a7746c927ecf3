import type { AcpToolCallState } from "@editwire/acp";
import type { SessionUpdate } from "@editwire/acp-schema";

/** Characters of a command's output that are kept: its end. */
const maxChars = 65_536;

/** Returns the output of a terminal of this client; `undefined` for another terminal. */
export type OutputOf = (terminalId: string) => string | undefined;

/** The state of a command that the agent runs in a terminal of its own. */
interface Command {
  output: string;
  exitCode: number | undefined;
}

/**
 * The commands that agents run in terminals of this client, or in terminals of their own. These they show to clients by
 * an extension: `terminal_output` or `terminal_output_delta`, and `terminal_exit`, in the `_meta` of a call's updates.
 */
export class CommandOutputs {
  readonly #outputOf: OutputOf;
  readonly #commands = new Map<string, Command>();

  constructor(outputOf: OutputOf = () => undefined) {
    this.#outputOf = outputOf;
  }

  /** Takes an update of a tool call. */
  add(toolCallId: string, { _meta: meta }: SessionUpdate): void {
    if (meta === undefined || meta === null) return;
    const known = this.#commands.get(toolCallId) ?? { output: "", exitCode: undefined };
    for (const key of ["terminal_output", "terminal_output_delta"]) {
      const data = fieldOf(meta[key], "data");
      if (typeof data === "string") known.output = (known.output + data).slice(-maxChars);
    }
    const exitCode = fieldOf(meta["terminal_exit"], "exit_code");
    if (typeof exitCode === "number") known.exitCode = exitCode;
    this.#commands.set(toolCallId, known);
  }

  /** A call with what is known of its command in place of the terminal's id. */
  shown(call: AcpToolCallState): AcpToolCallState {
    const { output = "", exitCode = fieldOf(call.rawOutput, "exit_code") } = this.#commands.get(call.toolCallId) ?? {};
    const others = call.content.filter(({ type }) => type !== "terminal");
    const lent = call.content.flatMap((item) =>
      item.type === "terminal" ? (this.#outputOf(String(item.terminalId)) ?? []) : [],
    );
    const exit = typeof exitCode === "number" && exitCode !== 0 ? `exit code ${exitCode}` : "";
    const own = others.length === 0 ? output.trimEnd() : "";
    const lines = [...lent.map((text) => text.trimEnd()), own, exit].filter((text) => text !== "");
    if (lines.length === 0 && others.length === call.content.length) return call;
    const text = { type: "content", content: { type: "text", text: lines.join("\n") } } as const;
    return { ...call, content: lines.length === 0 ? others : [...others, text] };
  }

  clear(): void {
    this.#commands.clear();
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
