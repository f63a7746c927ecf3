import { isObject } from "@editwire/core";
import type { Call } from "../../../core/call.js";
import { ExpectationError } from "../../../core/errors.js";
import { fill, ID, SESSION, TEXT_ID } from "../../../fuzz/placeholders.js";
import { playBy, type Plays } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { cwd } from "../agent-role.js";

/** How permission requests are answered: by an option, with `cancelled`, or not before the turn is cancelled. */
export type Permission = "allow_once" | "reject_once" | "cancelled" | "hold";

interface Session {
  readonly id: string;
  readonly modes: readonly string[];
  turn: Call | undefined;
  cancelled: boolean;
}

const TURN_MS = 60_000;
const PATIENCE_MS = 3_000;

/** Plays a client against an agent, step by step. Sessions of the life cycle are known by their number. */
export function agentPlayer({ talk, say }: FuzzSetting): FuzzPlayer {
  const sessions: Session[] = [];
  const held: { readonly id: unknown; readonly sessionId: string }[] = [];
  let permission: Permission = "cancelled";

  const of = (step: FuzzStep): Session => {
    const session = sessions[Number(step["session"])];
    if (session === undefined) throw new TypeError(`there is no session ${String(step["session"])}`);
    return session;
  };
  const outcome = (answer: string) => ({
    outcome: answer === "cancelled" ? { outcome: "cancelled" } : { outcome: "selected", optionId: answer },
  });
  talk.answer("session/request_permission", (params, id) => {
    const sessionId = isObject(params) ? String(params["sessionId"]) : "";
    const cancelled = sessions.some((session) => session.id === sessionId && session.cancelled);
    if (cancelled) return { result: outcome("cancelled") };
    if (permission !== "hold") return { result: outcome(permission) };
    held.push({ id, sessionId });
    return undefined;
  });

  const open = async (): Promise<Session> => {
    const { sessionId, modes } = await talk.send.request("session/new", { cwd, mcpServers: [] }).result();
    const available: unknown[] =
      isObject(modes) && Array.isArray(modes["availableModes"]) ? modes["availableModes"] : [];
    const session = {
      id: String(sessionId),
      modes: available.flatMap((mode) => (isObject(mode) ? [String(mode["id"])] : [])),
      turn: undefined,
      cancelled: false,
    };
    sessions.push(session);
    return session;
  };
  const cancel = (session: Session): void => {
    session.cancelled = session.turn !== undefined;
    talk.send.notify("session/cancel", { sessionId: session.id });
    for (const ask of held.splice(0)) {
      if (ask.sessionId === session.id) talk.conversation.reply(ask.id, outcome("cancelled"));
      else held.push(ask);
    }
  };
  const finish = async (session: Session): Promise<void> => {
    await session.turn?.response({ deadline: TURN_MS });
    session.turn = undefined;
    session.cancelled = false;
  };
  const alive = async (): Promise<void> => void (await talk.send.request("_conformance/alive", {}).response());

  /** A message that may be a prompt: its turn is over before anything else happens. */
  const message = async (template: unknown): Promise<void> => {
    const session = sessions[0] ?? (await open());
    const content = fill(template, {
      [SESSION]: session.id,
      [ID]: talk.conversation.freshId(),
      [TEXT_ID]: `id-${talk.conversation.freshId()}`,
    });
    const call = talk.send.invalid(content);
    if (isObject(content) && content["method"] === "session/prompt") {
      try {
        await call.response({ deadline: PATIENCE_MS });
      } catch (error) {
        if (!(error instanceof ExpectationError) || error.miss !== "timeout") throw error;
        cancel(session);
        await call.response();
      }
    }
    await alive();
  };

  const plays: Plays = {
    message: (step) => message(step["message"]),
    new: open,
    load: (step) => talk.send.request("session/load", { sessionId: of(step).id, cwd, mcpServers: [] }).result(),
    mode(step) {
      const { id, modes } = of(step);
      const modeId = modes[Number(step["mode"]) % modes.length];
      return modeId === undefined
        ? undefined
        : talk.send.request("session/set_mode", { sessionId: id, modeId }).result();
    },
    permission: (step) => void (permission = step["answer"] as Permission),
    prompt(step) {
      const session = of(step);
      const text = say(String(step["behavior"])) ?? "Say ok.";
      session.turn = talk.send.request("session/prompt", { sessionId: session.id, prompt: [{ type: "text", text }] });
    },
    cancel: (step) => cancel(of(step)),
    finish: (step) => finish(of(step)),
  };
  return {
    play: (step) => playBy(plays, step),
    async finish() {
      for (const session of sessions) {
        if (session.turn === undefined) continue;
        cancel(session);
        await finish(session);
      }
      await alive();
    },
  };
}
