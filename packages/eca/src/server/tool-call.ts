import { isObject, WireError } from "@editwire/core";
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
  /** The text that the user sees, such as `Reading file "foo"` (wire: `summary`). Default: clients show the name. */
  title?: string | undefined;
  name: string;
  /** Default `native`. */
  origin?: ToolCallOrigin | undefined;
  /** The MCP server of the tool. Default `eca`. */
  server?: string | undefined;
  /** The arguments of the call; their keys are sent unchanged. Default: `argumentsText`, read as JSON. */
  arguments?: ToolArguments | undefined;
  /**
   * The arguments as the model wrote them; a stream is sent while it comes, in one `toolCallPrepare` after another, and
   * the call is announced when it ends. Default: `arguments` as JSON.
   */
  argumentsText?: string | AsyncIterable<string> | undefined;
  /** The user decides whether it runs. While a promise is pending, the call is only prepared. Default false. */
  manualApproval?: boolean | Promise<boolean> | undefined;
  /**
   * Whether the call runs, as someone else decides, such as the user in another editor: the first answer counts.
   * Default: only this client decides.
   */
  decision?: Promise<boolean> | undefined;
  details?: ToolCallDetails | undefined;
  /**
   * Gives what has changed since. Called when the client is about to be sent the call before it runs, so that the user
   * decides about the call as it is then. Default: nothing has.
   */
  latest?: (() => EcaToolCallChange) | undefined;
}

/** One output of a tool. The specification calls its text `content`; either name is accepted. */
export type EcaToolOutput = ToolCallOutput | { readonly type: "text"; readonly content: string };

/** The changed fields of a call; a field left out stays as it was. */
export interface EcaToolCallChange {
  title?: string | undefined;
  arguments?: ToolArguments | undefined;
  details?: ToolCallDetails | undefined;
}

/** A tool call whose approval is settled. It ends once, by `complete` or `fail`; later calls are ignored. */
export interface EcaToolCall {
  /** Unique in its session. */
  readonly toolCallId: string;
  /** False when the user rejected the call or cancelled the turn. The client knows, and the tool must not run. */
  readonly allowed: boolean;
  /** Reports what the tool returned. */
  complete(output: string | readonly EcaToolOutput[], change?: EcaToolCallChange): void | Promise<void>;
  /** Reports that the tool failed, and why. */
  fail(output: string | readonly EcaToolOutput[], change?: EcaToolCallChange): void | Promise<void>;
}

/** The fields of a call that may change. */
interface Parts {
  readonly title: string | undefined;
  readonly arguments: ToolArguments;
  readonly details: ToolCallDetails | undefined;
}

/** The fields of a step of a call that not all steps have. */
type StepContent = StepOf<Extract<ChatContent, { type: `toolCall${string}` }>>;
type StepOf<Content> = Content extends unknown ? Omit<Content, "origin" | "id" | "name" | "server"> : never;

/** How much longer a text is that is sent again as a whole, so that all of them together are not much longer. */
const wholeGrowth = 1.5;

export interface ToolCallOptions {
  /** The user decides. */
  readonly manual: boolean | Promise<boolean>;
  /** The client is sent `toolCallRunning`. */
  readonly reportsRunning: boolean;
  /** The `argumentsText` of each `toolCallPrepare` of a stream. */
  readonly argumentsText: "whole" | "piece";
  readonly send: (content: ChatContent) => void | Promise<void>;
  /** Called when the call has ended. */
  readonly onEnd: () => void;
}

/**
 * An `EcaToolCall` with the part that its turn uses. It is prepared, run, and then called or rejected, in this order.
 */
export class ServerToolCall implements EcaToolCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly server: string;
  /** Resolves when it is known whether the call runs. */
  readonly decided: Promise<boolean>;
  readonly #call: EcaNewToolCall;
  readonly #options: ToolCallOptions;
  /** The fields that may change, as the client was sent them. */
  #parts: Parts;
  #state: "preparing" | "waiting" | "running" | "ended" = "preparing";
  #decide = (_allowed: boolean): void => {};
  #startedAt = 0;
  /** True when the client knows the call. */
  #shown = false;
  #allowed = false;

  constructor(id: string, call: EcaNewToolCall, options: ToolCallOptions) {
    this.toolCallId = id;
    this.name = call.name;
    this.server = call.server ?? "eca";
    this.#call = call;
    this.#parts = { title: call.title, arguments: call.arguments ?? {}, details: call.details };
    this.#options = options;
    this.decided = new Promise((resolve) => (this.#decide = resolve));
    void call.decision?.then((allowed) => (allowed ? this.allow() : this.reject("user"))).catch(() => {});
  }

  get allowed(): boolean {
    return this.#allowed;
  }

  /** True while the user has to decide. */
  get waiting(): boolean {
    return this.#state === "waiting";
  }

  /**
   * Sends the arguments and says that the call is about to run. Throws what the stream of arguments throws, and
   * `WireError("invalid_params")` when they are not a JSON object; the call is then rejected.
   */
  async announce(): Promise<void> {
    const { argumentsText } = this.#call;
    try {
      if (argumentsText === undefined) return await this.#announce(JSON.stringify(this.#parts.arguments));
      if (typeof argumentsText !== "string") return await this.#stream(argumentsText);
      this.#read(argumentsText);
      await this.#announce(argumentsText);
    } catch (error) {
      if (this.#state === "preparing") await this.reject("user");
      throw error;
    }
  }

  /** Lets a waiting call run. */
  allow(): void | Promise<void> {
    if (this.#state !== "waiting") return;
    const running = { type: "toolCallRunning" as const, arguments: this.#parts.arguments };
    const sent = this.#options.reportsRunning ? this.#send(running) : undefined;
    this.#state = "running";
    this.#allowed = true;
    this.#startedAt = performance.now();
    this.#decide(true);
    return sent;
  }

  /** Ends a call that does not run yet; it will not run. */
  reject(reason: ToolCallRejectReason): void | Promise<void> {
    if (this.#state !== "waiting" && this.#state !== "preparing") return;
    const rejected = { type: "toolCallRejected" as const, arguments: this.#parts.arguments, reason };
    const sent = this.#shown ? this.#send(rejected) : undefined;
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

  /** Ends a call that its handler left open. */
  async abandon(): Promise<void> {
    await this.reject("user");
    await this.fail("The call did not finish.");
  }

  /** A text that is sent in one piece is right for clients that append and for those that replace. */
  async #announce(argumentsText: string): Promise<void> {
    const prepared = this.#prepare(argumentsText);
    const run = this.#run();
    await prepared;
    await run;
  }

  async #stream(pieces: AsyncIterable<string>): Promise<void> {
    const isWhole = this.#options.argumentsText === "whole";
    let text = "";
    let sent = "";
    const send = async (): Promise<void> => {
      const unsent = isWhole ? text : text.slice(sent.length);
      sent = text;
      await this.#prepare(unsent);
    };
    for await (const piece of pieces) {
      if (this.#state !== "preparing") return;
      text += piece;
      if (!isWhole || text.length >= sent.length * wholeGrowth) await send();
    }
    if (this.#state !== "preparing") return;
    this.#read(text);
    if (text === "") await this.#prepare(JSON.stringify(this.#parts.arguments));
    else if (text !== sent) await send();
    await this.#run();
  }

  /** Takes the arguments from their text, when they are not given. */
  #read(text: string): void {
    if (this.#call.arguments !== undefined || text === "") return;
    const method = `chat/contentReceived: argumentsText of the tool ${this.name}`;
    try {
      const value: unknown = JSON.parse(text);
      if (!isObject(value)) throw new TypeError("the value is not an object");
      this.#parts = { ...this.#parts, arguments: value };
    } catch (cause) {
      throw new WireError("invalid_params", `${method}: expected a JSON object; ${String(cause)}`, { cause });
    }
  }

  #prepare(argumentsText: string): void | Promise<void> {
    const manualApproval = this.#options.manual === true;
    return this.#send({ type: "toolCallPrepare", argumentsText, manualApproval }, this.#with(this.#call.latest?.()));
  }

  #run(): void | Promise<void> {
    const { manual } = this.#options;
    return typeof manual === "boolean" ? this.#runAs(manual) : manual.then((found) => this.#runAs(found));
  }

  #runAs(manual: boolean): void | Promise<void> {
    if (this.#state !== "preparing") return;
    const parts = this.#with(this.#call.latest?.());
    const sent = this.#send({ type: "toolCallRun", arguments: parts.arguments, manualApproval: manual }, parts);
    this.#state = "waiting";
    return manual ? sent : (this.allow() ?? sent);
  }

  #with(change: EcaToolCallChange = {}): Parts {
    const { title, arguments: args, details } = this.#parts;
    return {
      title: change.title ?? title,
      arguments: change.arguments ?? args,
      details: change.details ?? details,
    };
  }

  #send(content: StepContent, parts = this.#parts): void | Promise<void> {
    const { title, details } = parts;
    const sent = this.#options.send({
      origin: this.#call.origin ?? "native",
      id: this.toolCallId,
      name: this.name,
      server: this.server,
      ...(title === undefined ? {} : { summary: title }),
      ...(details === undefined ? {} : { details }),
      ...content,
    });
    this.#shown = true;
    this.#parts = parts; // after the send: what does not fit is not kept
    return sent;
  }

  #called(error: boolean, output: string | readonly EcaToolOutput[], change?: EcaToolCallChange): void | Promise<void> {
    if (this.#state !== "running") return;
    const outputs = typeof output === "string" ? [{ type: "text", text: output }] : output.map(withText);
    const totalTimeMs = Math.round(performance.now() - this.#startedAt);
    const parts = this.#with(change);
    const called = { type: "toolCalled" as const, arguments: parts.arguments, error, outputs, totalTimeMs };
    const sent = this.#send(called, parts);
    this.#end(); // after the send: when it throws, the end of the turn ends the call
    return sent;
  }

  #end(): void {
    this.#state = "ended";
    this.#options.onEnd();
  }
}

function withText(output: EcaToolOutput): ToolCallOutput {
  const { text, content } = output as { readonly text?: unknown; readonly content?: unknown };
  return text === undefined && typeof content === "string" ? { ...output, text: content } : (output as ToolCallOutput);
}
