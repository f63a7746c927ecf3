import { CallingClient } from "../../../packs/calling-client.js";
import { type Control, UnsupportedAction } from "../../../wire/link.js";
import type { Serve } from "../../../wire/memory.js";
import type { PipeEnd } from "../../../wire/pipe.js";
import { ClientChat } from "./client-chat.js";
import { type ClientBehavior, objectOf, rightClient } from "./client-behavior.js";
import { type Json, type ReaderCut, rightServer } from "./server-behavior.js";

/** The reference client, with some of its switches replaced: every call is one connection. */
export function referenceClient(patch: Partial<ClientBehavior> = {}): Serve {
  const behavior = { ...rightClient, ...patch };
  return (pipe) => new ReferenceClient(pipe, behavior).start();
}

class ReferenceClient extends CallingClient<ClientBehavior> {
  /** By the suite's name for them. */
  readonly #chats = new Map<string, ClientChat>();
  /** Contents of chats that no answer has named yet. */
  readonly #early: Json[] = [];
  readonly #messages: Json[] = [];
  /** The status of each, by name. */
  readonly #servers = new Map<unknown, unknown>();
  #policy: unknown = "hold";
  #listening: boolean;

  constructor(pipe: PipeEnd, behavior: ClientBehavior) {
    super(pipe, behavior);
    this.#listening = behavior.listensAtOnce;
  }

  start(): Control {
    const behavior = this.behavior;
    const reader = behavior.reader();
    // A message in another charset is answered as bytes that are no message are.
    const push = (chunk: Uint8Array): readonly ReaderCut[] =>
      reader.push(chunk).map((cut) => {
        const refused = cut.ok ? rightServer.headerProblem(cut.frame?.detail ?? "") : undefined;
        return refused === undefined ? cut : { ok: false, problem: refused.message };
      });
    this.listen({ push }, () => this.#sendOrDie(behavior.noise()));
    const answered = this.call("initialize", behavior.initializeParams());
    for (const message of behavior.early()) this.send(message);
    const ready = answered.then(() => {
      for (const message of behavior.initialized()) this.send(message);
    });
    ready.catch(() => {});
    return {
      do: async (action, args = {}) => {
        await ready;
        this.#listening = true;
        return this.#act(action, args);
      },
    };
  }

  async #act(action: string, args: Json): Promise<unknown> {
    const behavior = this.behavior;
    const name = String(args["chat"]);
    switch (action) {
      case "prompt":
        return this.#prompt(name, args["message"]);
      case "approval":
        this.#policy = args["policy"];
        return {};
      case "stop":
        this.send({
          jsonrpc: "2.0",
          method: "chat/promptStop",
          params: behavior.stopParams(String(this.#chat(name).id)),
        });
        return {};
      case "delete": {
        const chat = this.#chat(name);
        const all = [...this.#chats.values()];
        const ids = all.map(({ id }) => id);
        const empty = (): void => behavior.emptied(chat, all).forEach((one) => one.clear());
        if (!behavior.emptiesAfterAnswer) empty();
        await this.call("chat/delete", behavior.deleteParams(chat.id, ids));
        if (behavior.emptiesAfterAnswer) empty();
        return {};
      }
      case "find-contexts":
        return this.#find(
          "chat/queryContext",
          behavior.contextQuery(this.#chats.get(name)?.id, args["query"]),
          "contexts",
        );
      case "find-commands":
        return this.#find(
          "chat/queryCommands",
          behavior.commandQuery(this.#chats.get(name)?.id, args["query"]),
          "commands",
        );
      case "stop-server":
      case "start-server":
        this.send({
          jsonrpc: "2.0",
          method: action === "stop-server" ? "mcp/stopServer" : "mcp/startServer",
          params: { name: args["name"] },
        });
        return {};
      case "quit":
        return this.#shutdown();
      case "report":
        return {
          ...(this.#chats.get(name)?.report() ?? { text: "", toolCalls: [] }),
          messages: this.#messages,
          servers: this.#shownServers(),
        };
      default:
        throw new UnsupportedAction(`there is no action "${action}"`);
    }
  }

  async #find(method: string, params: Json, field: string): Promise<Json> {
    const result = await this.call(method, params);
    if (this.behavior.onFound(result) === "die") this.die();
    const found = result[field];
    return { [field]: this.behavior.offered((Array.isArray(found) ? found : []) as Json[]) };
  }

  #shownServers(): Json[] {
    return [...this.#servers].map(([name, status]) => ({ name, status }));
  }

  async #shutdown(): Promise<Json> {
    const behavior = this.behavior;
    const exit = (): void => this.send({ jsonrpc: "2.0", method: "exit", params: behavior.nothing() });
    if (behavior.shutdown === "exit-first" || behavior.shutdown === "exit-alone") exit();
    if (behavior.shutdown === "exit-alone") return {};
    const down = this.call("shutdown", behavior.nothing());
    if (behavior.shutdown === "exit-at-once") exit();
    await down;
    if (behavior.shutdown === "wait") exit();
    return {};
  }

  #chat(name: string): ClientChat {
    const chat = this.#chats.get(name);
    if (chat === undefined) throw new Error(`there is no chat ${name}`);
    return chat;
  }

  async #prompt(name: string, message: unknown): Promise<Json> {
    const behavior = this.behavior;
    const chat = this.#chats.get(name) ?? new ClientChat(behavior.mintedId(), behavior);
    this.#chats.set(name, chat);
    const over = chat.begin();
    try {
      const result = await this.call("chat/prompt", behavior.promptParams(chat.id, this.nextId, message));
      const { chatId } = result;
      if (typeof chatId !== "string") throw new Error("the answer names no chat");
      chat.id = chatId;
      for (const params of this.#early.splice(0)) this.#received(params);
    } catch (error) {
      if (behavior.refusalEnds) chat.end();
      else await over;
      throw error;
    }
    await over;
    return {};
  }

  protected requested(id: unknown, method: string): void {
    const result = this.behavior.answers(method);
    const error = result === undefined ? this.behavior.unknownRequest(method) : undefined;
    if (result !== undefined || error !== undefined)
      this.send({ jsonrpc: "2.0", id, ...(error === undefined ? { result } : { error }) });
  }

  protected notified(method: string, params: Json): void {
    const behavior = this.behavior;
    if (!this.#listening) return;
    if (method === "chat/contentReceived") return this.#received(params);
    if (method === "$/showMessage") {
      const shown = { type: behavior.messageType(params["type"]), message: params["message"] };
      return void this.#messages.push(...(behavior.showsMessage() ? [shown] : []));
    }
    if (method === "tool/serverUpdated") {
      if (behavior.onServer(params) === "die") return this.die();
      const { status } = params;
      const name = behavior.serverName(params["name"]);
      return void this.#servers.set(name, behavior.serverStatus(this.#servers.get(name), status));
    }
    if (behavior.clears(method)) return this.#chatById(params["chatId"])?.clear();
    if (behavior.unknownNotification(method) === "die") this.die();
  }

  #chatById(chatId: unknown): ClientChat | undefined {
    return [...this.#chats.values()].find(({ id }) => id === chatId);
  }

  #received(params: Json): void {
    const behavior = this.behavior;
    if (behavior.onContent(params) === "die") return this.die();
    const chat = this.#chatById(params["chatId"]);
    if (chat === undefined) {
      if (behavior.keepsEarly && [...this.#chats.values()].some(({ id }) => id === undefined)) this.#early.push(params);
      return;
    }
    const content = objectOf(params["content"]);
    if (chat.take(params["role"], content) === "die") return this.die();
    if (!behavior.asks(content) || this.#policy === "hold") return;
    for (const message of behavior.decision(String(chat.id), content["id"], this.#policy === "approve"))
      this.send(message);
  }

  /** Gives the connection up, as a client does that crashes. */
  #sendOrDie(replies: readonly Json[] | "die"): void {
    if (replies === "die") this.die();
    else for (const reply of replies) this.send(reply);
  }

  protected override lost(): void {
    super.lost();
    if (!this.behavior.failsAtEnd) return;
    for (const chat of this.#chats.values()) chat.end(new Error("the connection is lost"));
  }
}
