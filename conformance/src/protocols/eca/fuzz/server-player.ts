import { isObject } from "@editwire/core";
import type { Call } from "../../../core/call.js";
import { ExpectationError } from "../../../core/errors.js";
import { fill, ID, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { playBy, type Plays } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { envelope } from "../envelope.js";
import { contentOf } from "../monitors/fields.js";

/** What the user does about tool calls that wait: says yes or no at once, or nothing before the turn is stopped. */
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
export function serverPlayer({ talk, say }: FuzzSetting): FuzzPlayer {
  const chats = new Map<number, Chat>();
  const known = new Set<string>();
  let policy: Policy = "reject";
  let witness: Chat | undefined;

  const newChat = (): Chat => {
    const chat = {
      id: `33333333-3333-4333-8333-${String(talk.conversation.freshId()).padStart(12, "0")}`,
      turn: undefined,
    };
    known.add(chat.id);
    return chat;
  };
  const chatOf = ({ chat: number }: FuzzStep): Chat => {
    const chat = chats.get(Number(number)) ?? newChat();
    chats.set(Number(number), chat);
    return chat;
  };
  const unwatch = talk.conversation.link.trace.subscribe((entry) => {
    if (entry.kind !== "message" || entry.from !== "target") return;
    const found = contentOf({ entry, from: "target", is: envelope.classify(entry.message) }, "target");
    if (
      found?.content["type"] !== "toolCallRun" ||
      found.content["manualApproval"] !== true ||
      policy === "hold" ||
      !known.has(found.chatId)
    )
      return;
    const method = policy === "approve" ? "chat/toolCallApprove" : "chat/toolCallReject";
    talk.send.notify(method, { chatId: found.chatId, toolCallId: String(found.content["id"]) });
  });

  const prompt = (chat: Chat, behavior: string, args = {}): void => {
    const message = say(behavior, args) ?? "Say ok.";
    chat.turn = talk.send.request("chat/prompt", { chatId: chat.id, requestId: `${talk.now()}`, message });
  };
  const stop = ({ id: chatId }: { id: string }): void => talk.send.notify("chat/promptStop", { chatId });
  const finish = async (chat: Chat): Promise<void> => {
    await chat.turn?.result({ chatId: chat.id }, { deadline: TURN_MS });
    await talk.expect.notify(received, { chatId: chat.id, content: finished }, { deadline: TURN_MS });
    chat.turn = undefined;
  };
  const alive = async (): Promise<void> => void (await talk.send.request("_conformance/alive", {}).response());

  /** The turn of another chat, which goes on beside what is wrong. */
  const beWitnessed = (): void => {
    if (witness !== undefined) return;
    witness = newChat();
    prompt(witness, "chunks", { count: WITNESS_CHUNKS });
  };
  const askWitness = async (chat: Chat): Promise<void> => {
    await finish(chat);
    if (say("chunks") === undefined) return;
    const texts = talk.rest(received, { chatId: chat.id, role: "assistant", content: { type: "text" } });
    const said = texts.map(({ params: { content } }) => (isObject(content) ? content["text"] : "")).join("");
    const expected = Array.from({ length: WITNESS_CHUNKS }, (_, index) => `${index + 1} `).join("");
    if (said !== expected)
      throw new ExpectationError("mismatch", "another chat was harmed", { expected, actual: said });
  };

  /** A message that may be a prompt: its turn is over before anything else happens. */
  const message = async (template: unknown): Promise<void> => {
    beWitnessed();
    const { id } = chatOf({ do: "message", chat: 0 });
    const content = fill(template, {
      [SESSION]: id,
      [ID]: talk.conversation.freshId(),
      [TEXT_ID]: `id-${talk.conversation.freshId()}`,
    });
    const call = talk.send.invalid(content);
    if (isObject(content) && content["method"] === "chat/prompt") {
      const { result } = await call.response({ deadline: TURN_MS });
      if (isObject(result)) await over(String(result["chatId"]));
    }
    await alive();
  };
  const over = async (chatId: string): Promise<void> => {
    const ended = (deadline: number): Promise<unknown> =>
      talk.expect.notify(received, { chatId, content: finished }, { deadline });
    try {
      await ended(PATIENCE_MS);
    } catch (error) {
      if (!(error instanceof ExpectationError) || error.miss !== "timeout") throw error;
      stop({ id: chatId });
      await ended(TURN_MS);
    }
  };

  const plays: Plays = {
    message: (step) => message(step["message"]),
    prompt: (step) => prompt(chatOf(step), String(step["behavior"])),
    policy: (step) => void (policy = step["policy"] as Policy),
    stop: (step) => stop(chatOf(step)),
    finish: (step) => finish(chatOf(step)),
    delete: (step) => talk.send.request("chat/delete", { chatId: chatOf(step).id }).result(),
    contexts: (step) => talk.send.request("chat/queryContext", { query: String(step["query"]), contexts: [] }).result(),
    commands: (step) => talk.send.request("chat/queryCommands", { query: String(step["query"]) }).result(),
    decide: (step) => talk.send.notify(String(step["method"]), { chatId: chatOf(step).id, toolCallId: "no-such-call" }),
    server: (step) => talk.send.notify(String(step["method"]), { name: "no-such-server" }),
  };
  return {
    play: (step) => playBy(plays, step),
    async finish() {
      for (const chat of chats.values()) {
        if (chat.turn === undefined) continue;
        stop(chat);
        await finish(chat);
      }
      if (witness !== undefined) await askWitness(witness);
      await alive();
      unwatch();
    },
  };
}
