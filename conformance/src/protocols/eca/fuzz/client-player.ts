import { isObject } from "@editwire/core";
import { ExpectationError } from "../../../core/errors.js";
import type { Incoming } from "../../../core/talk/talk.js";
import { fill, ID, PROMPT, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { type Plays, settled, SteeringPlayer } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { chatIdOf, type Policy } from "../client-role.js";

type Json = Record<string, unknown>;

interface Turn {
  readonly ask: Incoming;
  /** Resolves with the client's report on the end of the turn. */
  readonly done: Promise<unknown>;
  answered: boolean;
}
interface Chat {
  /** The suite's name for it, and the id. */
  readonly name: string;
  id: string | undefined;
  turn: Turn | undefined;
  /** The text that a user should see. */
  text: string;
}

const tool = { origin: "native", name: "read_file", arguments: { path: "a" } };

/**
 * Plays the server against a client that can be steered, step by step. Chats of the life cycle are known by their
 * number.
 */
export function clientPlayer(setting: FuzzSetting): FuzzPlayer {
  return new ClientPlayer(setting);
}

class ClientPlayer extends SteeringPlayer {
  readonly #chats = new Map<number, Chat>();
  #policy: Policy | undefined;
  #witness: Chat | undefined;
  protected readonly plays: Plays = {
    message: (step) => this.#message(step["message"]),
    prompt: (step) => this.#prompt(this.#chatOf(step)),
    content: (step) => this.#content(this.#chatOf(step), step["content"] as Json, String(step["role"])),
    answer: (step) => this.#answer(this.#chatOf(step)),
    tool: (step) => this.#callTool(this.#chatOf(step), step["manual"] === true),
    policy: (step) => this.#approval(step["policy"] as Policy),
    stop: (step) => this.#stop(this.#chatOf(step)),
    end: (step) => this.#end(this.#chatOf(step)),
    fail: (step) => this.#fail(this.#chatOf(step)),
    delete: (step) => this.#remove(this.#chatOf(step)),
    notify: (step) => this.talk.send.notify(String(step["method"]), step["params"]),
  };

  async finish(): Promise<void> {
    for (const chat of this.#chats.values()) if (chat.turn !== undefined) await this.#stop(chat);
    // A fault in one chat must not harm another, or keep the next one from working.
    if (this.#witness !== undefined) {
      this.#content(this.#witness, { type: "text", text: "two" });
      await this.#end(this.#witness);
      await this.#look(this.#witness);
    }
    const last = this.#newChat();
    await this.#prompt(last);
    this.#content(last, { type: "text", text: "Still here" });
    await this.#end(last);
    await this.#look(last);
    await this.#alive();
  }

  #newChat(): Chat {
    return {
      name: `fuzz-${this.talk.conversation.freshId()}`,
      id: undefined,
      turn: undefined,
      text: "",
    };
  }

  #chatOf({ chat: number }: FuzzStep): Chat {
    const chat = this.#chats.get(Number(number)) ?? this.#newChat();
    this.#chats.set(Number(number), chat);
    return chat;
  }

  #turnOf({ turn }: Chat): Turn {
    if (turn === undefined) throw new TypeError("no turn runs");
    return turn;
  }

  #content(chat: Chat, one: Json, role = "assistant"): void {
    this.talk.send.notify("chat/contentReceived", { chatId: chat.id, role, content: one });
    if (one["type"] === "text" && role === "assistant") chat.text += String(one["text"]);
  }

  async #approval(wanted: Policy): Promise<void> {
    this.#policy = wanted;
    await this.steering.tell("approval", { policy: this.#policy });
  }

  async #prompt(chat: Chat): Promise<Turn> {
    // The user's answers in an earlier run do not count.
    if (this.#policy === undefined) await this.#approval("hold");
    const done = this.steering.tell("prompt", { chat: chat.name, message: "Hello" });
    const asked = this.talk.expect.request("chat/prompt", chat.id === undefined ? {} : { chatId: chat.id });
    const ask = await Promise.race([asked, done.then(() => asked)]);
    chat.id ??= chatIdOf(ask, this.talk.conversation);
    return (chat.turn = { ask, done, answered: false });
  }

  #answer(chat: Chat): void {
    const turn = this.#turnOf(chat);
    if (!turn.answered) this.talk.reply(turn.ask, { chatId: chat.id, model: "suite/one", status: "success" });
    turn.answered = true;
  }

  #finished(chat: Chat): void {
    this.#content(chat, { type: "progress", state: "finished", text: "" }, "system");
  }

  async #end(chat: Chat): Promise<void> {
    const { done } = this.#turnOf(chat);
    this.#answer(chat);
    this.#finished(chat);
    chat.turn = undefined;
    await done;
  }

  async #fail(chat: Chat): Promise<void> {
    const { done, ask } = this.#turnOf(chat);
    this.talk.refuse(ask, { code: -32603, message: "Internal error" });
    // A client that knows the chat may wait for the end of the turn.
    this.#finished(chat);
    chat.turn = undefined;
    // An id that the suite made was in no answer.
    if (ask.params["chatId"] === undefined) chat.id = undefined;
    await settled(done);
  }

  async #alive(): Promise<void> {
    await this.talk.send.request("_conformance/alive", {}).response();
  }

  async #stop(chat: Chat): Promise<void> {
    this.#answer(chat);
    // The user's word takes another way than the answer, which names the chat to be stopped.
    await this.#alive();
    const sent = this.talk.expect.notify("chat/promptStop", { chatId: chat.id });
    if (await this.steering.can("stop", { chat: chat.name })) await sent;
    await this.#end(chat);
  }

  /** A tool call, up to its end after the user's decision. */
  async #callTool(chat: Chat, manualApproval: boolean): Promise<void> {
    this.#answer(chat);
    const call = { ...tool, id: `call-${this.talk.conversation.freshId()}` };
    this.#content(chat, { type: "toolCallPrepare", ...call, argumentsText: "{}", manualApproval });
    this.#content(chat, { type: "toolCallRun", ...call, manualApproval });
    if (manualApproval && this.#policy === "hold") return;
    const approved = !manualApproval || this.#policy === "approve";
    const method = approved ? "chat/toolCallApprove" : "chat/toolCallReject";
    if (manualApproval) await this.talk.expect.notify(method, { chatId: chat.id, toolCallId: call.id });
    if (approved)
      this.#content(chat, {
        type: "toolCalled",
        ...call,
        error: false,
        outputs: [{ type: "text", text: "out", content: "out" }],
      });
    else this.#content(chat, { type: "toolCallRejected", ...call, reason: "user" });
  }

  async #remove(chat: Chat): Promise<void> {
    if (await this.steering.can("delete", { chat: chat.name }))
      for (const [number, one] of this.#chats) if (one === chat) this.#chats.delete(number);
  }

  /** Compares the chat as the user sees it with the contents that the suite sent, as far as the client reports them. */
  async #look(chat: Chat): Promise<void> {
    if (!(await this.steering.can("report", { chat: chat.name }))) return;
    const seen = await this.steering.tell("report", { chat: chat.name });
    const text = isObject(seen) ? seen["text"] : undefined;
    if (typeof text === "string" && !text.includes(chat.text))
      throw new ExpectationError("mismatch", "another chat was harmed", { expected: chat.text, actual: text });
  }

  /**
   * A message within a turn, while a turn of another chat runs. A complete request must be answered, even if its params
   * are invalid.
   */
  async #message(template: unknown): Promise<void> {
    if (this.#witness === undefined) {
      this.#witness = this.#newChat();
      await this.#prompt(this.#witness);
      this.#content(this.#witness, { type: "text", text: "one " });
    }
    const chat = this.#chatOf({ do: "message", chat: 0 });
    const turn = chat.turn ?? (await this.#prompt(chat));
    const values = {
      [SESSION]: chat.id,
      [ID]: this.talk.conversation.freshId(),
      [TEXT_ID]: `id-${this.talk.conversation.freshId()}`,
      [PROMPT]: turn.ask.id,
    };
    const filled = fill(template, values);
    if (isObject(filled) && filled["method"] === undefined && filled["id"] === turn.ask.id) {
      // The chat keeps its name, so that its turn can be ended.
      const { result } = filled;
      this.talk.send.invalid(isObject(result) ? { ...filled, result: { ...result, chatId: chat.id } } : filled);
      this.#finished(chat);
      chat.turn = undefined;
      this.#chats.delete(0);
      await settled(turn.done);
    } else {
      this.talk.send.invalid(filled);
    }
    await this.#alive();
  }
}
