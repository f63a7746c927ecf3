import type {
  ChatContent,
  ToolArguments,
  ToolCallDetails,
  ToolCallOrigin,
  ToolCallOutput,
  ToolCallRejectReason,
} from "@editwire/eca-schema";

/** A tool call to announce. */
export interface EcaNewToolCall {
  /** The model's id of the call. Default, and when the session has used it before: a new UUID. */
  toolCallId?: string | undefined;
  name: string;
  /** Default `native`. */
  origin?: ToolCallOrigin | undefined;
  /** The MCP server of the tool. Default `eca`. */
  server?: string | undefined;
  /** What the tool is called with, keys untouched. */
  arguments: ToolArguments;
  /** The arguments as the model wrote them. Default: `arguments` as JSON. */
  argumentsText?: string | undefined;
  /** The user decides whether it runs. Default false. */
  manualApproval?: boolean | undefined;
  /** Such as `Reading file "foo"`. */
  summary?: string | undefined;
  details?: ToolCallDetails | undefined;
}

/** One output of a tool. The specification calls its text `content`; either name does. */
export type EcaToolOutput = ToolCallOutput | { readonly type: "text"; readonly content: string };

/** What changed about a call by the time it has run; a field left out stays as it was. */
export interface EcaToolCallChange {
  summary?: string | undefined;
  details?: ToolCallDetails | undefined;
}

/** A tool call whose approval is settled. It ends once: `complete` or `fail`; what comes after is ignored. */
export interface EcaToolCall {
  /** Unique in its session. */
  readonly toolCallId: string;
  /** False when the user rejected the call, or stopped the turn: the client knows, and the tool must not run. */
  readonly allowed: boolean;
  /** Reports what the tool returned. */
  complete(output: string | readonly EcaToolOutput[], change?: EcaToolCallChange): void | Promise<void>;
  /** Reports that the tool failed, and why. */
  fail(output: string | readonly EcaToolOutput[], change?: EcaToolCallChange): void | Promise<void>;
}

type Send = (content: ChatContent) => void | Promise<void>;

/** An `EcaToolCall` with the side that its turn drives: Prepare, Run, then Called or Rejected, each once. */
export class ServerToolCall implements EcaToolCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly server: string;
  readonly manual: boolean;
  readonly #call: EcaNewToolCall;
  readonly #send: Send;
  readonly #onEnd: () => void;
  #state: "new" | "waiting" | "running" | "ended" = "new";
  #decide = (_allowed: boolean): void => {};
  /** Resolves once it is known whether the call runs. */
  readonly decided: Promise<boolean>;
  #startedAt = 0;
  #allowed = false;

  constructor(id: string, call: EcaNewToolCall, manual: boolean, send: Send, onEnd: () => void) {
    this.toolCallId = id;
    this.name = call.name;
    this.server = call.server ?? "eca";
    this.manual = manual;
    this.#call = call;
    this.#send = send;
    this.#onEnd = onEnd;
    this.decided = new Promise((resolve) => (this.#decide = resolve));
  }

  get allowed(): boolean {
    return this.#allowed;
  }

  /** Sends the one Prepare with the whole of the arguments, which is right for clients that append and for those that replace. */
  async announce(): Promise<void> {
    const { arguments: args, argumentsText = JSON.stringify(args) } = this.#call;
    const prepared = this.#send({ ...this.#base, type: "toolCallPrepare", argumentsText, manualApproval: this.manual });
    const run = this.#send({ ...this.#base, type: "toolCallRun", arguments: args, manualApproval: this.manual });
    this.#state = "waiting";
    if (!this.manual) this.allow();
    await prepared;
    await run;
  }

  /** Lets a waiting call run. */
  allow(): void {
    if (this.#state !== "waiting") return;
    this.#state = "running";
    this.#allowed = true;
    this.#startedAt = performance.now();
    this.#decide(true);
  }

  /** Ends a waiting call, which will not run. */
  reject(reason: ToolCallRejectReason): void | Promise<void> {
    if (this.#state !== "waiting") return;
    const sent = this.#send({ ...this.#base, type: "toolCallRejected", arguments: this.#call.arguments, reason });
    this.#end();
    this.#decide(false);
    return sent;
  }

  complete(output: string | readonly EcaToolOutput[], change?: EcaToolCallChange): void | Promise<void> {
    return this.#called(false, output, change);
  }

  fail(output: string | readonly EcaToolOutput[], change?: EcaToolCallChange): void | Promise<void> {
    return this.#called(true, output, change);
  }

  #called(
    error: boolean,
    output: string | readonly EcaToolOutput[],
    change: EcaToolCallChange = {},
  ): void | Promise<void> {
    if (this.#state !== "running") return;
    const outputs = typeof output === "string" ? [{ type: "text", text: output }] : output.map(withText);
    const totalTimeMs = Math.round(performance.now() - this.#startedAt);
    const sent = this.#send({
      ...this.#base,
      ...change,
      type: "toolCalled",
      arguments: this.#call.arguments,
      error,
      outputs,
      totalTimeMs,
    });
    this.#end(); // only now: when the message could not be sent, the end of the turn ends the call
    return sent;
  }

  #end(): void {
    this.#state = "ended";
    this.#onEnd();
  }

  get #base() {
    const { name, origin = "native", summary, details } = this.#call;
    return {
      origin,
      id: this.toolCallId,
      name,
      server: this.server,
      ...(summary === undefined ? {} : { summary }),
      ...(details === undefined ? {} : { details }),
    };
  }
}

function withText(output: EcaToolOutput): ToolCallOutput {
  const { text, content } = output as { readonly text?: unknown; readonly content?: unknown };
  return text === undefined && typeof content === "string" ? { ...output, text: content } : (output as ToolCallOutput);
}
