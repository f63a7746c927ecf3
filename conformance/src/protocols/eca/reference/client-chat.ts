import { type Bearing, type ClientBehaviour, objectOf } from "./client-behaviour.js";
import type { Json } from "./server-behaviour.js";

interface ToolCall {
  state: string;
  prepared: string;
  arguments: unknown;
  text: string;
}

const states: Readonly<Record<string, string>> = {
  toolCallPrepare: "prepared",
  toolCallRun: "running",
  toolCalled: "called",
  toolCallRejected: "rejected",
};

/** What the reference client knows of a chat. */
export class ClientChat {
  private text = "";
  private readonly toolCalls = new Map<unknown, ToolCall>();
  private finish: ((error?: Error) => void) | undefined;

  constructor(
    public id: string | undefined,
    private readonly behaviour: ClientBehaviour,
  ) {}

  /** Begins a turn; resolves at its end. */
  begin(): Promise<void> {
    const over = new Promise<void>((resolve, reject) => {
      this.finish = (error) => (error === undefined ? resolve() : reject(error));
    });
    over.catch(() => {});
    return over;
  }

  end(error?: Error): void {
    this.finish?.(error);
    this.finish = undefined;
  }

  clear(): void {
    this.text = "";
    this.toolCalls.clear();
  }

  /** Takes a content in. */
  take(role: unknown, content: Json): Bearing {
    const { behaviour } = this;
    const { type, id, text } = content;
    if (!behaviour.shows(type)) return "bear";
    if (type === "progress" && behaviour.isEnd(content)) {
      if (this.finish === undefined) return behaviour.secondEnd();
      this.end();
    }
    if (type === "text" && role === "assistant") this.text = behaviour.joined(this.text, String(text));
    const state = states[String(type)];
    if (state === undefined) return "bear";
    const call = this.toolCalls.get(id) ?? { state, prepared: "", arguments: undefined, text: "" };
    call.state = state;
    if (type === "toolCallPrepare") call.prepared += String(content["argumentsText"]);
    if (type === "toolCallRun") call.arguments = behaviour.toolArguments(call.prepared, content["arguments"]);
    if (type === "toolCalled" && Array.isArray(content["outputs"]))
      call.text = content["outputs"].map((output: unknown) => behaviour.toolText(objectOf(output))).join("");
    this.toolCalls.set(id, call);
    return "bear";
  }

  /** What a user would see. */
  report(): Json {
    return {
      text: this.text,
      toolCalls: [...this.toolCalls].map(([id, { state, arguments: args, text }]) => ({
        id,
        state,
        ...(args !== undefined && { arguments: args }),
        text,
      })),
    };
  }
}
