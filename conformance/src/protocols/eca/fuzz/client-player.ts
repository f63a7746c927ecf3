import { isObject } from "@editwire/core";
import { ExpectationError } from "../../../core/errors.js";
import type { Incoming } from "../../../core/talk.js";
import { fill, ID, PROMPT, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { playBy, type Plays, settled, steering } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { chatIdOf, type Policy } from "../client-role.js";

type Json = Record<string, unknown>;

interface Turn {
  readonly ask: Incoming;
  /** What the client says of it in the end. */
  readonly done: Promise<unknown>;
  answered: boolean;
}
interface Chat {
  /** The suite's name for it, and the id. */
  readonly name: string;
  id: string | undefined;
  turn: Turn | undefined;
  /** What a user should see. */
  text: string;
}

const tool = { origin: "native", name: "read_file", arguments: { path: "a" } };

/** Plays the server against a client that can be steered, step by step. Chats of the life cycle are known by their number. */
export function clientPlayer({ talk }: FuzzSetting): FuzzPlayer {
  const { tell, can } = steering(talk.conversation.link.control);
  const chats = new Map<number, Chat>();
  let policy: Policy | undefined;
  let witness: Chat | undefined;

  const newChat = (): Chat => ({
    name: `fuzz-${talk.conversation.freshId()}`,
    id: undefined,
    turn: undefined,
    text: "",
  });
  const chatOf = ({ chat: number }: FuzzStep): Chat => {
    const chat = chats.get(Number(number)) ?? newChat();
    chats.set(Number(number), chat);
    return chat;
  };
  const turnOf = ({ turn }: Chat): Turn => {
    if (turn === undefined) throw new TypeError("no turn runs");
    return turn;
  };
  const content = (chat: Chat, one: Json, role = "assistant"): void => {
    talk.send.notify("chat/contentReceived", { chatId: chat.id, role, content: one });
    if (one["type"] === "text" && role === "assistant") chat.text += String(one["text"]);
  };
  const approval = async (wanted: Policy): Promise<void> => {
    policy = wanted;
    await tell("approval", { policy });
  };

  const prompt = async (chat: Chat): Promise<Turn> => {
    // What the user said in an earlier run does not count.
    if (policy === undefined) await approval("hold");
    const done = tell("prompt", { chat: chat.name, message: "Hello" });
    const asked = talk.expect.request("chat/prompt", chat.id === undefined ? {} : { chatId: chat.id });
    const ask = await Promise.race([asked, done.then(() => asked)]);
    chat.id ??= chatIdOf(ask, talk.conversation);
    return (chat.turn = { ask, done, answered: false });
  };
  const answer = (chat: Chat): void => {
    const turn = turnOf(chat);
    if (!turn.answered) talk.reply(turn.ask, { chatId: chat.id, model: "suite/one", status: "success" });
    turn.answered = true;
  };
  const finished = (chat: Chat): void => content(chat, { type: "progress", state: "finished", text: "" }, "system");
  const end = async (chat: Chat): Promise<void> => {
    const { done } = turnOf(chat);
    answer(chat);
    finished(chat);
    chat.turn = undefined;
    await done;
  };
  const fail = async (chat: Chat): Promise<void> => {
    const { done, ask } = turnOf(chat);
    talk.refuse(ask, { code: -32603, message: "Internal error" });
    // A client that knows the chat may wait for the end of the turn.
    finished(chat);
    chat.turn = undefined;
    // An id that the suite made was in no answer.
    if (ask.params["chatId"] === undefined) chat.id = undefined;
    await settled(done);
  };
  const alive = async (): Promise<void> => void (await talk.send.request("_conformance/alive", {}).response());
  const stop = async (chat: Chat): Promise<void> => {
    answer(chat);
    // The user's word takes another way than the answer, which names the chat to be stopped.
    await alive();
    const sent = talk.expect.notify("chat/promptStop", { chatId: chat.id });
    if (await can("stop", { chat: chat.name })) await sent;
    await end(chat);
  };
  /** A tool call, up to what the user lets become of it. */
  const callTool = async (chat: Chat, manualApproval: boolean): Promise<void> => {
    answer(chat);
    const call = { ...tool, id: `call-${talk.conversation.freshId()}` };
    content(chat, { type: "toolCallPrepare", ...call, argumentsText: "{}", manualApproval });
    content(chat, { type: "toolCallRun", ...call, manualApproval });
    if (manualApproval && policy === "hold") return;
    const approved = !manualApproval || policy === "approve";
    const method = approved ? "chat/toolCallApprove" : "chat/toolCallReject";
    if (manualApproval) await talk.expect.notify(method, { chatId: chat.id, toolCallId: call.id });
    if (approved)
      content(chat, {
        type: "toolCalled",
        ...call,
        error: false,
        outputs: [{ type: "text", text: "out", content: "out" }],
      });
    else content(chat, { type: "toolCallRejected", ...call, reason: "user" });
  };
  const remove = async (chat: Chat): Promise<void> => {
    if (await can("delete", { chat: chat.name }))
      for (const [number, one] of chats) if (one === chat) chats.delete(number);
  };
  /** What a user sees of a chat is what the suite said in it, as far as the client tells. */
  const look = async (chat: Chat): Promise<void> => {
    if (!(await can("report", { chat: chat.name }))) return;
    const seen = await tell("report", { chat: chat.name });
    const text = isObject(seen) ? seen["text"] : undefined;
    if (typeof text === "string" && !text.includes(chat.text))
      throw new ExpectationError("mismatch", "another chat was harmed", { expected: chat.text, actual: text });
  };

  /** A message within a turn, beside the turn of another chat; a whole request has to be answered, whatever is wrong with its params. */
  const message = async (template: unknown): Promise<void> => {
    if (witness === undefined) {
      witness = newChat();
      await prompt(witness);
      content(witness, { type: "text", text: "one " });
    }
    const chat = chatOf({ do: "message", chat: 0 });
    const turn = chat.turn ?? (await prompt(chat));
    const values = {
      [SESSION]: chat.id,
      [ID]: talk.conversation.freshId(),
      [TEXT_ID]: `id-${talk.conversation.freshId()}`,
      [PROMPT]: turn.ask.id,
    };
    const filled = fill(template, values);
    if (isObject(filled) && filled["method"] === undefined && filled["id"] === turn.ask.id) {
      // The chat keeps its name, so that its turn can be ended.
      const { result } = filled;
      talk.send.invalid(isObject(result) ? { ...filled, result: { ...result, chatId: chat.id } } : filled);
      finished(chat);
      chat.turn = undefined;
      chats.delete(0);
      await settled(turn.done);
    } else {
      talk.send.invalid(filled);
    }
    await alive();
  };

  const plays: Plays = {
    message: (step) => message(step["message"]),
    prompt: (step) => prompt(chatOf(step)),
    content: (step) => content(chatOf(step), step["content"] as Json, String(step["role"])),
    answer: (step) => answer(chatOf(step)),
    tool: (step) => callTool(chatOf(step), step["manual"] === true),
    policy: (step) => approval(step["policy"] as Policy),
    stop: (step) => stop(chatOf(step)),
    end: (step) => end(chatOf(step)),
    fail: (step) => fail(chatOf(step)),
    delete: (step) => remove(chatOf(step)),
    notify: (step) => talk.send.notify(String(step["method"]), step["params"]),
  };
  return {
    play: (step) => playBy(plays, step),
    async finish() {
      for (const chat of chats.values()) if (chat.turn !== undefined) await stop(chat);
      // What went wrong in one chat must not harm another, or keep the next one from working.
      if (witness !== undefined) {
        content(witness, { type: "text", text: "two" });
        await end(witness);
        await look(witness);
      }
      const last = newChat();
      await prompt(last);
      content(last, { type: "text", text: "Still here" });
      await end(last);
      await look(last);
      await alive();
    },
  };
}
