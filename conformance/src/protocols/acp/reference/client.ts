import { isObject } from "@editwire/core";
import { FrameCutter } from "../../../wire/framing.js";
import type { Control } from "../../../wire/link.js";
import type { Serve } from "../../../wire/memory.js";
import type { PipeEnd } from "../../../wire/pipe.js";
import { type ClientBehaviour, rightClient } from "./client-behaviour.js";
import type { Json, Refusal } from "./agent-behaviour.js";

/** The reference client, with some of its switches replaced: every call is one connection. */
export function referenceClient(patch: Partial<ClientBehaviour> = {}): Serve {
  const behaviour = { ...rightClient, ...patch };
  return (pipe) => new ReferenceClient(pipe, behaviour).start();
}

/** What the client has understood of a session. */
interface ClientState {
  text: string;
  toolCalls: Record<string, string>;
}

type Answer = { result: unknown } | { error: Json };

class ReferenceClient {
  private readonly cutter = new FrameCutter();
  private readonly calls = new Map<number, (answer: Answer) => void>();
  private readonly held = new Map<string, { id: unknown; params: Json }[]>();
  private readonly states = new Map<string, ClientState>();
  private readonly busy = new Set<string>();
  private permission = "allow_once";
  private nextId = 1;

  constructor(
    private readonly pipe: PipeEnd,
    private readonly behaviour: ClientBehaviour,
  ) {}

  start(): Control {
    this.pipe.listen({
      data: (chunk) => {
        for (const cut of this.cutter.push(chunk)) if (cut.ok) this.take(cut.message);
      },
      end: () => this.pipe.end(),
    });
    const { behaviour } = this;
    for (const { method, params } of behaviour.beforeInitialize()) this.call(method, params).catch(() => {});
    const ready = this.call("initialize", behaviour.initializeParams());
    ready.catch(() => {});
    return {
      do: async (action, args = {}) => {
        await ready;
        return this.act(action, args);
      },
    };
  }

  private async act(action: string, args: Json): Promise<unknown> {
    const { behaviour } = this;
    const sessionId = String(args["sessionId"]);
    switch (action) {
      case "new-session":
        return this.call("session/new", behaviour.newSessionParams(args["cwd"]));
      case "load-session":
        return this.call("session/load", { sessionId, ...(behaviour.newSessionParams(args["cwd"]) as Json) });
      case "prompt":
        return this.prompt(sessionId, String(args["text"]));
      case "cancel":
        this.notify("session/cancel", { sessionId });
        for (const { id, params } of this.held.get(sessionId)?.splice(0) ?? []) this.answerHeld(id, params);
        return {};
      case "permission":
        this.permission = String(args["answer"]);
        return {};
      case "set-mode":
        return this.call("session/set_mode", { sessionId, modeId: args["modeId"] });
      case "state":
        return this.stateOf(sessionId);
      default:
        throw new Error(`unknown action ${action}`);
    }
  }

  private async prompt(sessionId: string, text: string): Promise<unknown> {
    if (this.busy.has(sessionId) && !this.behaviour.promptWhileBusy) throw new Error("a turn of the session runs");
    this.busy.add(sessionId);
    try {
      return await this.call("session/prompt", { sessionId, prompt: this.behaviour.promptBlocks(text) });
    } finally {
      this.busy.delete(sessionId);
    }
  }

  private take(message: unknown): void {
    if (!isObject(message)) return;
    const { id, method, params } = message;
    if (typeof method !== "string") {
      const settle = this.calls.get(Number(id));
      this.calls.delete(Number(id));
      settle?.("error" in message ? { error: isObject(message["error"]) ? message["error"] : {} } : { result: message["result"] });
      return;
    }
    const values = isObject(params) ? params : {};
    if (id !== undefined && id !== null) this.asked(id, method, values);
    else if (method === "session/update") this.updated(String(values["sessionId"]), values["update"]);
    else for (const reply of this.behaviour.unknownNotification(method)) this.send(reply);
  }

  private asked(id: unknown, method: string, params: Json): void {
    if (method !== "session/request_permission") return this.refuse(id, this.behaviour.unknownRequest(method));
    const sessionId = String(params["sessionId"]);
    if (this.permission !== "hold") return this.reply(id, this.behaviour.permissionResult(this.permission, params));
    this.held.set(sessionId, [...(this.held.get(sessionId) ?? []), { id, params }]);
  }

  private answerHeld(id: unknown, params: Json): void {
    const result = this.behaviour.permissionAfterCancel(params);
    if (result !== undefined) this.reply(id, result);
  }

  private updated(sessionId: string, update: unknown): void {
    const state = this.stateOf(sessionId);
    if (!this.behaviour.readsUpdate(update)) throw new Error("the client gave up");
    if (!isObject(update)) return;
    const { sessionUpdate, content, toolCallId, status } = update;
    if (sessionUpdate === "agent_message_chunk" && isObject(content)) state.text += String(content["text"] ?? "");
    if (typeof toolCallId === "string") state.toolCalls[toolCallId] = String(status ?? state.toolCalls[toolCallId] ?? "in_progress");
  }

  private stateOf(sessionId: string): ClientState {
    const state = this.states.get(sessionId) ?? { text: "", toolCalls: {} };
    this.states.set(sessionId, state);
    return state;
  }

  private call(method: string, params: unknown): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.calls.set(id, (answer) => {
        if ("result" in answer) resolve(answer.result);
        else reject(new Error(String(answer.error["message"])));
      });
      this.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  private notify(method: string, params: unknown): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  private reply(id: unknown, result: unknown): void {
    this.send({ jsonrpc: "2.0", id, result });
  }

  private refuse(id: unknown, error: Refusal | undefined): void {
    if (error !== undefined) this.send({ jsonrpc: "2.0", id, error });
  }

  private send(message: Json): void {
    for (const one of this.behaviour.outgoing(message)) this.pipe.write(this.behaviour.encode(one));
  }
}
