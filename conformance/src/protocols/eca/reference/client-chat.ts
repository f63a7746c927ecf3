import { type Reaction, type ClientBehavior, objectOf } from "./client-behavior.js";
import type { Json } from "./server-behavior.js";

interface ToolCall {
  state: string;
  prepared: string;
  arguments: unknown;
  text: string;
  error: boolean | undefined;
}

/** The reference client's state of a chat. */
export class ClientChat {
  #text = "";
  readonly #toolCalls = new Map<unknown, ToolCall>();
  #finish: ((error?: Error) => void) | undefined;

  readonly #behavior: ClientBehavior;

  constructor(
    public id: string | undefined,
    behavior: ClientBehavior,
  ) {
    this.#behavior = behavior;
  }

  /** Begins a turn; resolves at its end. */
  begin(): Promise<void> {
    const over = new Promise<void>((resolve, reject) => {
      this.#finish = (error) => (error === undefined ? resolve() : reject(error));
    });
    over.catch(() => {});
    return over;
  }

  end(error?: Error): void {
    this.#finish?.(error);
    this.#finish = undefined;
  }

  clear(): void {
    this.#text = "";
    if (this.#behavior.clearsToolCalls) this.#toolCalls.clear();
  }

  /** Takes a content in. */
  take(role: unknown, content: Json): Reaction {
    const behavior = this.#behavior;
    const { type, id, text } = content;
    if (!behavior.shows(type)) return "survive";
    if (behavior.isEnd(content)) {
      if (this.#finish === undefined) return behavior.secondEnd();
      this.end();
    }
    if (type === "text" && behavior.showsTextOf(role)) this.#text = behavior.joined(this.#text, String(text));
    if (type === "url") this.#text += `${String(content["title"])}: ${String(content["url"])}`;
    const state = behavior.toolState(content);
    if (state === undefined || (type !== "toolCallPrepare" && !behavior.showsUnprepared && !this.#toolCalls.has(id)))
      return "survive";
    const call = this.#toolCalls.get(id) ?? { state, prepared: "", arguments: undefined, text: "", error: undefined };
    call.state = state;
    if (type === "toolCallPrepare") call.prepared += String(content["argumentsText"]);
    if (type === "toolCallRun") call.arguments = behavior.toolArguments(call.prepared, content["arguments"]);
    if (type === "toolCalled") call.error = behavior.toolError(content);
    if (type === "toolCalled" && Array.isArray(content["outputs"]))
      call.text = content["outputs"].map((output: unknown) => behavior.toolText(objectOf(output))).join("");
    this.#toolCalls.set(id, call);
    return "survive";
  }

  /** The chat as a user would see it. */
  report(): Json {
    return {
      text: this.#text,
      toolCalls: [...this.#toolCalls].map(([id, { state, arguments: args, text, error }]) => ({
        id,
        state,
        ...(args !== undefined && { arguments: args }),
        ...(error !== undefined && { error }),
        text,
      })),
    };
  }
}
