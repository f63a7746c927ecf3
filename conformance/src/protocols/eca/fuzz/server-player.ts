import { isObject } from "@editwire/core";
import type { Call } from "../../../core/talk/call.js";
import { ExpectationError } from "../../../core/errors.js";
import { fill, ID, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { type Plays, StepPlayer } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { envelope } from "../envelope.js";
import { contentOf } from "../monitors/fields.js";
import { sampleParams } from "../samples.js";

/** The user's answer to tool calls that wait: yes or no at once, or none before the turn is stopped. */
export type Policy = "approve" | "reject" | "hold";

interface Chat {
  readonly id: string;
  turn: Call | undefined;
}

const TURN_MS = 60_000;
const PATIENCE_MS = 3_000;
const WITNESS_CHUNKS = 8;
const received = "chat/contentReceived";
const finished = { type: "progress", state: "finished" };

/** Plays a client against a server, step by step. Chats of the life cycle are known by their number. */
export function serverPlayer(setting: FuzzSetting): FuzzPlayer {
  return new ServerPlayer(setting);
}

class ServerPlayer extends StepPlayer {
  readonly #chats = new Map<number, Chat>();
  readonly #known = new Set<string>();
  #policy: Policy = "reject";
  #witness: Chat | undefined;
  readonly #unwatch: () => void;
  protected readonly plays: Plays = {
    message: (step) => this.#message(step["message"]),
    prompt: (step) => this.#prompt(this.#chatOf(step), String(step["behavior"])),
    policy: (step) => void (this.#policy = step["policy"] as Policy),
    stop: (step) => this.#stop(this.#chatOf(step)),
    finish: (step) => this.#finish(this.#chatOf(step)),
    delete: (step) => this.talk.send.request("chat/delete", { chatId: this.#chatOf(step).id }).result(),
    contexts: (step) => this.#query("chat/queryContext", step),
    commands: (step) => this.#query("chat/queryCommands", step),
    decide: (step) =>
      this.talk.send.notify(String(step["method"]), { chatId: this.#chatOf(step).id, toolCallId: "no-such-call" }),
    server: (step) => this.talk.send.notify(String(step["method"]), { name: "no-such-server" }),
  };

  constructor(setting: FuzzSetting) {
    super(setting);
    this.#unwatch = this.talk.conversation.link.trace.subscribe((entry) => {
      if (entry.kind !== "message" || entry.from !== "target") return;
      const found = contentOf({ entry, from: "target", is: envelope.classify(entry.message) }, "target");
      if (
        found?.content["type"] !== "toolCallRun" ||
        found.content["manualApproval"] !== true ||
        this.#policy === "hold" ||
        !this.#known.has(found.chatId)
      )
        return;
      const method = this.#policy === "approve" ? "chat/toolCallApprove" : "chat/toolCallReject";
      this.talk.send.notify(method, { chatId: found.chatId, toolCallId: String(found.content["id"]) });
    });
  }

  async finish(): Promise<void> {
    for (const chat of this.#chats.values()) {
      if (chat.turn === undefined) continue;
      this.#stop(chat);
      await this.#finish(chat);
    }
    if (this.#witness !== undefined) await this.#askWitness(this.#witness);
    await this.#alive();
    this.#unwatch();
  }

  #query(method: string, { query }: FuzzStep): Promise<unknown> {
    return this.talk.send.request(method, sampleParams(method, { query: String(query) })).result();
  }

  #newChat(): Chat {
    const chat = {
      id: `33333333-3333-4333-8333-${String(this.talk.conversation.freshId()).padStart(12, "0")}`,
      turn: undefined,
    };
    this.#known.add(chat.id);
    return chat;
  }

  #chatOf({ chat: number }: FuzzStep): Chat {
    const chat = this.#chats.get(Number(number)) ?? this.#newChat();
    this.#chats.set(Number(number), chat);
    return chat;
  }

  #prompt(chat: Chat, behavior: string, args = {}): void {
    const message = this.say(behavior, args) ?? "Say ok.";
    chat.turn = this.talk.send.request("chat/prompt", { chatId: chat.id, requestId: `${this.talk.now()}`, message });
  }

  #stop({ id: chatId }: { id: string }): void {
    this.talk.send.notify("chat/promptStop", { chatId });
  }

  async #finish(chat: Chat): Promise<void> {
    await chat.turn?.result({ chatId: chat.id }, { deadline: TURN_MS });
    await this.talk.expect.notify(received, { chatId: chat.id, content: finished }, { deadline: TURN_MS });
    chat.turn = undefined;
  }

  async #alive(): Promise<void> {
    await this.talk.send.request("_conformance/alive", {}).response();
  }

  /** The turn of another chat, which goes on beside what is wrong. */
  #beWitnessed(): void {
    if (this.#witness !== undefined) return;
    this.#witness = this.#newChat();
    this.#prompt(this.#witness, "chunks", { count: WITNESS_CHUNKS });
  }

  async #askWitness(chat: Chat): Promise<void> {
    await this.#finish(chat);
    if (this.say("chunks") === undefined) return;
    const texts = this.talk.rest(received, { chatId: chat.id, role: "assistant", content: { type: "text" } });
    const said = texts.map(({ params: { content } }) => (isObject(content) ? content["text"] : "")).join("");
    const expected = Array.from({ length: WITNESS_CHUNKS }, (_, index) => `${index + 1} `).join("");
    if (said !== expected)
      throw new ExpectationError("mismatch", "another chat was harmed", { expected, actual: said });
  }

  /** A message that may be a prompt: its turn is over before anything else happens. */
  async #message(template: unknown): Promise<void> {
    this.#beWitnessed();
    const { id } = this.#chatOf({ do: "message", chat: 0 });
    const content = fill(template, {
      [SESSION]: id,
      [ID]: this.talk.conversation.freshId(),
      [TEXT_ID]: `id-${this.talk.conversation.freshId()}`,
    });
    const call = this.talk.send.invalid(content);
    if (isObject(content) && content["method"] === "chat/prompt") {
      const { result } = await call.response({ deadline: TURN_MS });
      if (isObject(result)) await this.#over(String(result["chatId"]));
    }
    await this.#alive();
  }

  async #over(chatId: string): Promise<void> {
    const ended = (deadline: number): Promise<unknown> =>
      this.talk.expect.notify(received, { chatId, content: finished }, { deadline });
    try {
      await ended(PATIENCE_MS);
    } catch (error) {
      if (!(error instanceof ExpectationError) || error.miss !== "timeout") throw error;
      this.#stop({ id: chatId });
      await ended(TURN_MS);
    }
  }
}
