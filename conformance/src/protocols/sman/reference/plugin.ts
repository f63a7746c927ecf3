import { isObject } from "@editwire/core";
import { WebSocket } from "ws";
import type { WsClientReference } from "../../../core/protocol.js";
import type { ToolName } from "../samples.js";
import { filesOf, type Oddity, type PluginBehavior, type PluginCall, rightPlugin } from "./plugin-behavior.js";
import type { Json } from "./tool-failure.js";

/** Dials a backend and serves it until it is closed, with some of the switches replaced. */
export const dialReferencePlugin: WsClientReference["dial"] = (to, patch = {}) => {
  const { project = "." } = to.variables ?? {};
  const plugin = new ReferencePlugin(to.url, project, { ...rightPlugin, ...patch });
  plugin.dial();
  return plugin;
};

const REDIAL_MS = 20;
const specified = new Set(["type", "toolCallId", "toolName", "params", "webSocketSessionId"]);

class ReferencePlugin {
  readonly #url: string;
  readonly #root: string;
  readonly #behavior: PluginBehavior;
  /** The results of the calls, by their ids. */
  readonly #answered = new Map<unknown, Json>();
  /** The calls that are not answered yet, by their ids. */
  readonly #running = new Map<unknown, PluginCall>();
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, root: string, behavior: PluginBehavior) {
    this.#url = url;
    this.#root = root;
    this.#behavior = behavior;
  }

  dial(): void {
    const behavior = this.#behavior;
    const socket = new WebSocket(behavior.url(this.#url), {
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: behavior.maxLength,
    });
    this.#socket = socket;
    socket.once("open", () => {
      this.#write(behavior.greeting());
      for (const call of behavior.keepsCalls ? [...this.#running.values()] : []) this.#execute(call, socket);
    });
    socket.on("message", (data, isBinary) => {
      if (isBinary) return this.#dieOf("binary");
      this.#read((data as Buffer).toString("utf8"));
    });
    socket.on("ping", (data) => {
      const pong = behavior.pong(data);
      if (pong !== undefined && socket.readyState === WebSocket.OPEN) socket.pong(pong);
      this.#dieOf("ping");
    });
    // A failed dial is reported by its close event.
    socket.on("error", () => {});
    socket.once("close", () => {
      if (!this.#closed) this.#timer = setTimeout(() => this.dial(), REDIAL_MS);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
  }

  /** Ends for good if this is more than it can take. */
  #dieOf(what: Oddity): void {
    if (!this.#behavior.survives(what)) this.close();
  }

  #read(text: string): void {
    const message = jsonOf(text);
    if (message === undefined) return this.#dieOf("no-json");
    if (!isObject(message)) return this.#dieOf("no-object");
    if (message["type"] !== "TOOL_CALL") {
      this.#write(this.#behavior.words(message));
      return this.#dieOf("unknown-type");
    }
    if (Object.keys(message).some((name) => !specified.has(name))) this.#dieOf("more-fields");
    this.#take(this.#behavior.call(message));
  }

  #take(call: PluginCall): void {
    const behavior = this.#behavior;
    const { id } = call;
    const key = behavior.answerId(id);
    if (key === "") {
      this.#dieOf("no-id");
      return this.#answer(call, { success: false, error: "toolCallId 字段缺失或为空" });
    }
    const refusal = behavior.refusal(call);
    if (refusal !== undefined) {
      this.#dieOf("bad-call");
      return this.#answer(call, { success: false, error: refusal });
    }
    const before = this.#answered.get(id);
    const again = before && behavior.again(before);
    if (again !== undefined) return this.#answer(call, again);
    if (this.#running.has(id) && behavior.again({}) !== undefined) return;
    this.#running.set(id, call);
    const socket = this.#socket;
    behavior.schedule(() => this.#execute(call, socket), call);
  }

  #execute(call: PluginCall, socket: WebSocket | undefined): void {
    const behavior = this.#behavior;
    const startedAt = performance.now();
    const root = behavior.root(this.#root, call);
    let result: Json;
    try {
      const text = behavior.run(call.tool as ToolName, filesOf(root, behavior), call.params as Json);
      result = { success: true, result: behavior.fitting(text) };
    } catch (error) {
      result = { success: false, error: behavior.failure(error, root) };
    }
    this.#running.delete(call.id);
    this.#answered.set(call.id, result);
    const executionTime = Math.round(performance.now() - startedAt);
    if (socket === this.#socket) this.#answer(call, { ...result, executionTime });
  }

  #answer({ id }: PluginCall, result: Json): void {
    const behavior = this.#behavior;
    this.#write(behavior.outgoing({ type: "TOOL_RESULT", data: { toolCallId: behavior.answerId(id), ...result } }));
  }

  #write(messages: readonly unknown[]): void {
    for (const one of messages)
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(this.#behavior.encode(one));
  }
}

/** The JSON value of a text; `undefined` when it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
