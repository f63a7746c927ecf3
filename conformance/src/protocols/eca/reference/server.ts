import { isObject } from "@editwire/core";
import type { Serve } from "../../../wire/memory.js";
import type { PipeEnd } from "../../../wire/pipe.js";
import { methodsFrom, sampleResult } from "../samples.js";
import {
  type Json,
  type Reader,
  type Refusal,
  rightServer,
  type ServerBehavior,
  type ServerChat,
} from "./server-behavior.js";
import { takeTurn } from "./server-turn.js";

/** The reference server, with some of its switches replaced: every call serves one connection. */
export function referenceServer(patch: Partial<ServerBehavior> = {}): Serve {
  const behavior = { ...rightServer, ...patch };
  return (pipe) => new ReferenceServer(pipe, behavior).start();
}

class ReferenceServer {
  readonly #chats = new Map<string, ServerChat>();
  readonly #reader: Reader;
  #initialized = false;
  #minted = 0;
  #turns: Promise<unknown> = Promise.resolve();
  #dead = false;
  #watching: NodeJS.Timeout | undefined;

  readonly #pipe: PipeEnd;
  readonly #behavior: ServerBehavior;

  constructor(pipe: PipeEnd, behavior: ServerBehavior) {
    this.#pipe = pipe;
    this.#behavior = behavior;

    this.#reader = behavior.reader();
  }

  start(): void {
    this.#pipe.listen({
      data: (chunk) => {
        for (const cut of this.#dead ? [] : this.#reader.push(this.#behavior.incoming(chunk))) {
          const problem = cut.ok ? this.#behavior.headerProblem(cut.frame?.detail ?? "") : undefined;
          if (!cut.ok) this.#sendOrDie(this.#behavior.notJson(cut.problem));
          else if (problem !== undefined) this.#send({ jsonrpc: "2.0", id: null, error: problem });
          else this.#take(cut.message);
        }
      },
      end: () => this.#end("input"),
    });
  }

  #end(what: "input" | "exit"): void {
    clearInterval(this.#watching);
    for (const { turn } of this.#chats.values()) turn?.abort();
    if (!this.#behavior.endsAt(what)) return;
    this.#pipe.end();
    if (what === "exit") this.#pipe.destroy();
  }

  /** Ends with a process, if it is there at first. */
  #watch(pid: number | undefined): void {
    if (pid === undefined || !isRunning(pid)) return;
    this.#watching = setInterval(() => {
      if (!isRunning(pid)) this.#die();
    }, WATCH_MS).unref();
  }

  #die(): void {
    this.#dead = true;
    clearInterval(this.#watching);
    this.#pipe.destroy();
  }

  #take(message: unknown): void {
    if (!isObject(message) || message["jsonrpc"] !== "2.0") return this.#sendAll(this.#behavior.notRpc(message));
    const { id, method, params } = message;
    if (method === undefined) return;
    if (typeof method !== "string") return this.#sendAll(this.#behavior.notRpc(message));
    const read = isObject(params) ? this.#behavior.read(params) : this.#behavior.noParams(params, method);
    if (id === undefined) {
      if (read !== undefined) this.#notified(method, read);
      return;
    }
    if (!this.#initialized && method !== "initialize") {
      const early = this.#behavior.early(method);
      if (early !== undefined) return this.#answer(id, early, () => null);
    }
    const problem =
      read === undefined
        ? { code: -32602, message: `${method}: expected an object` }
        : this.#behavior.paramsProblem(method, read);
    if (problem !== undefined || read === undefined) return this.#answer(id, problem, () => null);
    this.#requested(id, method, read);
  }

  #requested(id: unknown, method: string, params: Json): void {
    const behavior = this.#behavior;
    if (!behavior.responsive && [...this.#chats.values()].some(({ turn }) => turn !== undefined)) return;
    switch (method) {
      case "initialize":
        for (const update of behavior.beforeInitialized()) this.#notify("tool/serverUpdated", update);
        this.#initialized = true;
        this.#watch(behavior.parent(params));
        return this.#answer(id, behavior.initializeProblem(params), () =>
          behavior.result(method, behavior.initializeResult(params)),
        );
      case "chat/prompt":
        return this.#prompt(id, params);
      case "chat/queryContext":
        return this.#answer(id, undefined, () => behavior.result(method, behavior.queryContext(params)));
      case "chat/queryCommands":
        return this.#answer(id, undefined, () => behavior.result(method, behavior.queryCommands(params)));
      case "chat/delete": {
        const chat = this.#chats.get(String(params["chatId"]));
        return this.#answer(id, behavior.deleteProblem(chat), () => {
          if (behavior.endsDeleted) chat?.turn?.abort();
          for (const one of behavior.forgotten(String(params["chatId"]), [...this.#chats.keys()]))
            this.#chats.delete(one);
          return behavior.result(method, sampleResult(method));
        });
      }
      default:
        return this.#other(id, method, params);
    }
  }

  /** A request that the server does nothing for: the method table says what it answers. */
  #other(id: unknown, method: string, params: Json): void {
    const behavior = this.#behavior;
    if (methodsFrom("client", "request").includes(method)) {
      this.#answer(id, undefined, () => behavior.result(method, sampleResult(method)));
      if (method === "shutdown" && behavior.endsAt(method)) this.#pipe.end();
      return;
    }
    const found = behavior.v2026Result(method, params, this.#chats);
    this.#answer(id, found === undefined ? behavior.unknownRequest(method) : undefined, () => found);
  }

  #notified(method: string, params: Json): void {
    const behavior = this.#behavior;
    switch (method) {
      case "initialized":
        for (const update of behavior.servers()) this.#notify("tool/serverUpdated", update);
        for (const message of behavior.messages()) this.#notify("$/showMessage", message);
        this.#sendAll(behavior.announces());
        return;
      case "exit":
        return this.#end("exit");
      case "chat/toolCallApprove":
      case "chat/toolCallReject":
        return this.#decide(params, method === "chat/toolCallApprove");
      case "chat/promptStop":
        return this.#sendAll(behavior.stop(this.#chats.get(String(params["chatId"])), [...this.#chats.values()]));
      case "mcp/stopServer":
      case "mcp/startServer":
        return this.#tellOf(behavior.mcpUpdates(params["name"], method === "mcp/stopServer" ? "stopped" : "running"));
      default: {
        this.#sendOrDie(behavior.unknownNotification(method));
      }
    }
  }

  #tellOf(updates: readonly Json[] | "die"): void {
    if (updates === "die") return this.#die();
    for (const update of updates) this.#notify("tool/serverUpdated", update);
  }

  #decide(params: Json, approved: boolean): void {
    const toolCallId = String(params["toolCallId"]);
    const chat = this.#behavior.chatOf(this.#chats, params);
    const decide = chat?.waiting.get(toolCallId);
    if (decide === undefined) {
      return this.#sendOrDie(this.#behavior.unknownCall());
    }
    chat?.waiting.delete(toolCallId);
    decide(approved);
  }

  #prompt(id: unknown, params: Json): void {
    const behavior = this.#behavior;
    const given = params["chatId"];
    const chatId = typeof given === "string" ? behavior.adopt(given, this.#chats) : behavior.chatId(++this.#minted);
    const contexts = (Array.isArray(params["contexts"]) ? params["contexts"] : []) as Json[];
    const strange = contexts.some(
      ({ type }) => !["file", "directory", "repoMap", "mcpResource"].includes(String(type)),
    );
    const failing = strange && contexts.some((context) => behavior.unknownContext(context) === "fail");
    if (chatId === undefined || failing)
      return this.#answer(id, { code: -32603, message: "Internal error" }, () => null);
    const chat: ServerChat = this.#chats.get(chatId) ?? newChat(chatId);
    this.#chats.set(chatId, chat);
    chat.said.push(String(params["message"]));
    const before = this.#turns;
    const run = async (): Promise<void> => {
      if (behavior.oneTurnInAll) await before;
      await this.#turn(chat, params, () =>
        this.#answer(id, undefined, () => behavior.result("chat/prompt", behavior.promptResult(chatId, params))),
      );
    };
    this.#turns = run();
  }

  async #turn(chat: ServerChat, params: Json, answer: () => void): Promise<void> {
    const behavior = this.#behavior;
    const abort = new AbortController();
    chat.turn = abort;
    const send = (role: string, content: Json): void => {
      for (const one of behavior.contents(role, content))
        this.#notify("chat/contentReceived", behavior.contentParams(chat.id, params, one.role, one.content));
    };
    this.#sendAll(behavior.chatStatus(chat.id, "running"));
    send("user", { type: "text", text: `${String(params["message"])}\n` });
    send("system", { type: "progress", state: "running", text: "Waiting model" });
    answer();
    const ending = await takeTurn({ behavior, chat, params, signal: abort.signal, send });
    if (ending === "failed") send("system", { type: "text", text: "The model cannot be reached" });
    send("system", behavior.usage(chat));
    chat.turn = undefined;
    chat.waiting.clear();
    this.#sendAll(behavior.chatStatus(chat.id, "idle"));
    for (const content of behavior.finished(abort.signal.aborted ? "stopped" : ending)) send("system", content);
  }

  #answer(id: unknown, problem: Refusal | undefined, result: () => unknown): void {
    this.#send(
      problem === undefined ? { jsonrpc: "2.0", id, result: result() } : { jsonrpc: "2.0", id, error: problem },
    );
  }

  #notify(method: string, params: Json): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  #sendOrDie(replies: readonly Json[] | "die"): void {
    if (replies === "die") this.#die();
    else this.#sendAll(replies);
  }

  #sendAll(messages: readonly Json[]): void {
    for (const message of messages) this.#send(message);
  }

  #send(message: Json): void {
    if (this.#dead) return;
    for (const one of this.#behavior.outgoing(message))
      this.#behavior.write(this.#behavior.encode(one), (bytes) => this.#pipe.write(bytes));
  }
}

const WATCH_MS = 20;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const newChat = (id: string): ServerChat => ({ id, turn: undefined, waiting: new Map(), tools: 0, said: [] });
