import { isObject } from "@editwire/core";
import type { Call } from "../../../core/call.js";
import type { Incoming } from "../../../core/talk.js";
import { fill, ID, PROMPT, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { playBy, type Plays, settled, steering } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { cwd } from "../agent-role.js";
import { modes, permissionOptions } from "../as-agent.js";

interface Turn {
  readonly ask: Incoming;
  /** What the client says of it in the end. */
  readonly done: Promise<unknown>;
  readonly questions: Call[];
}
interface Session {
  readonly id: string;
  turn: Turn | undefined;
}

/** Plays the agent against a client that can be steered, step by step. Sessions of the life cycle are known by their number. */
export function clientPlayer({ talk }: FuzzSetting): FuzzPlayer {
  const { tell, can } = steering(talk.conversation.link.control);
  const sessions: Session[] = [];
  const of = (step: FuzzStep): Session => {
    const session = sessions[Number(step["session"])];
    if (session === undefined) throw new TypeError(`there is no session ${String(step["session"])}`);
    return session;
  };
  const turnOf = ({ turn }: Session): Turn => {
    if (turn === undefined) throw new TypeError("no turn runs");
    return turn;
  };

  const open = async (): Promise<Session> => {
    if (sessions.length === 0) await tell("permission", { policy: "reject" });
    const id = `fuzz-session-${talk.conversation.freshId()}`;
    talk.answer("session/new", () => ({ result: { sessionId: id, modes } }));
    await tell("new-session", { cwd });
    const session: Session = { id, turn: undefined };
    sessions.push(session);
    return session;
  };
  const prompt = async (session: Session): Promise<Turn> => {
    const done = tell("prompt", { sessionId: session.id, prompt: "Hello" });
    const asked = talk.expect.request("session/prompt", { sessionId: session.id });
    const turn = { ask: await Promise.race([asked, done.then(() => asked)]), done, questions: [] };
    session.turn = turn;
    return turn;
  };
  /** Ends a turn with an answer that the client has to understand. */
  const end = async (session: Session, stopReason: string): Promise<void> => {
    const turn = turnOf(session);
    session.turn = undefined;
    talk.reply(turn.ask, { stopReason });
    for (const question of turn.questions) await question.response();
    await turn.done;
  };
  const fail = async (session: Session): Promise<void> => {
    const turn = turnOf(session);
    session.turn = undefined;
    talk.refuse(turn.ask, { code: -32603, message: "prompt execution failed" });
    await settled(turn.done);
  };
  const cancel = async (session: Session): Promise<void> => {
    const { id: sessionId } = session;
    const cancelled = talk.expect.notify("session/cancel", { sessionId });
    if (!(await can("cancel", { sessionId }))) return end(session, "end_turn");
    await cancelled;
    await end(session, "cancelled");
  };
  const alive = async (): Promise<void> => void (await talk.send.request("_conformance/alive", {}).response());

  /** A message within a turn; a whole request has to be answered, whatever is wrong with its params. */
  const message = async (template: unknown): Promise<void> => {
    const session = sessions[0] ?? (await open());
    const turn = session.turn ?? (await prompt(session));
    const content = fill(template, {
      [SESSION]: session.id,
      [ID]: talk.conversation.freshId(),
      [TEXT_ID]: `id-${talk.conversation.freshId()}`,
      [PROMPT]: turn.ask.id,
    });
    const call = talk.send.invalid(content);
    if (isObject(content) && content["method"] === undefined && content["id"] === turn.ask.id) {
      session.turn = undefined;
      await settled(turn.done);
    } else if (
      isObject(content) &&
      content["jsonrpc"] === "2.0" &&
      content["method"] === "session/request_permission" &&
      typeof content["id"] === "number" &&
      !("result" in content)
    ) {
      await call.response();
    }
    await alive();
  };

  const plays: Plays = {
    message: (step) => message(step["message"]),
    new: open,
    prompt: (step) => prompt(of(step)),
    update: (step) => talk.send.notify("session/update", { sessionId: of(step).id, update: step["update"] }),
    ask(step) {
      const { id: sessionId, turn } = of(step);
      const toolCall = { toolCallId: `call-${talk.conversation.freshId()}`, title: "A tool", status: "pending" };
      turn?.questions.push(
        talk.send.request("session/request_permission", { sessionId, toolCall, options: permissionOptions }),
      );
    },
    permission: (step) => tell("permission", { policy: step["policy"] }),
    mode: (step) => can("set-mode", { sessionId: of(step).id, modeId: step["modeId"] }),
    end: (step) => end(of(step), String(step["stopReason"])),
    fail: (step) => fail(of(step)),
    cancel: (step) => cancel(of(step)),
  };
  return {
    play: (step) => playBy(plays, step),
    async finish() {
      for (const session of sessions) if (session.turn !== undefined) await cancel(session);
      // What went wrong in one session must not keep the next one from working.
      await tell("permission", { policy: "reject" });
      const last = await open();
      await prompt(last);
      await end(last, "end_turn");
      await alive();
    },
  };
}
