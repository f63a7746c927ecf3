import { ExpectationError } from "../../../core/errors.js";
import type { Talk } from "../../../core/talk/talk.js";
import type { Call } from "../../../core/talk/call.js";
import { fill, LONG, TEXT_ID } from "../../../fuzz/placeholders.js";
import { playBy, type Plays, settled, steering } from "../../../fuzz/player.js";
import type { FuzzPlayer, FuzzSetting, FuzzStep } from "../../../fuzz/suite.js";
import { allRead, socketOf } from "../../../packs/socket.js";
import { fieldsOf } from "../plugin-role.js";

const LENGTH = 256 * 1024;

/** The steps of both players that send frames and messages. */
function anything(talk: Talk, idOf: () => unknown): Plays {
  let last: unknown;
  return {
    message(step) {
      last = fill(step["message"], { [TEXT_ID]: idOf(), [LONG]: "x".repeat(LENGTH) });
      talk.send.invalid(last);
    },
    again: () => void (last !== undefined && talk.send.invalid(last)),
    text: (step) => talk.send.bytes(String(step["text"])),
    binary: (step) => socketOf(talk).binary(Buffer.from(String(step["text"]))),
    ping: () => allRead(talk),
  };
}

/** Plays the backend of a plugin, step by step. Calls of the life cycle are answered in any order. */
export function pluginPlayer({ talk }: FuzzSetting): FuzzPlayer {
  const open: Call[] = [];
  const plays: Plays = {
    ...anything(talk, () => talk.conversation.freshId()),
    call(step) {
      const { tool, params } = step as unknown as { tool: string; params: Record<string, unknown> };
      open.push(talk.send.request("TOOL_CALL", fieldsOf(tool, params)));
    },
    wait: () => open.shift()?.response(),
  };
  return {
    play: (step: FuzzStep) => playBy(plays, step),
    async finish() {
      for (const call of open.splice(0)) await call.response();
      const params = { relativePath: "read/numbers.txt", start_line: 7, end_line: 7 };
      const { result } = await talk.send.request("TOOL_CALL", fieldsOf("read_file", params)).result({ success: true });
      if (String(result).includes("num-07")) return;
      throw new ExpectationError("mismatch", "read_file does not show line 7", { expected: "num-07", actual: result });
    },
  };
}

/** A call of a backend that the suite has not answered yet. */
interface Open {
  readonly id: unknown;
  readonly done: Promise<unknown>;
  /** Wrong results may have settled it. */
  readonly isVictim: boolean;
}

/** Plays the plugin of a backend, step by step. */
export function backendPlayer({ talk }: FuzzSetting): FuzzPlayer {
  const { tell } = steering(talk.conversation.link.control);
  const session = socketOf(talk).id;
  const open: Open[] = [];
  let victim: Open | undefined;
  let count = 0;

  const call = async (tool: string, params: Record<string, unknown>, isVictim: boolean): Promise<Open> => {
    const done = tell("call", { session, tool, params });
    const expected = talk.expect.request("TOOL_CALL");
    const { id } = await Promise.race([expected, done.then(() => expected)]);
    return { id, done, isVictim };
  };
  const answer = async ({ id, done, isVictim }: Open): Promise<void> => {
    const text = `result ${++count}`;
    talk.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: id, success: true, result: text } });
    if (isVictim) return settled(done);
    const outcome = await done;
    if (JSON.stringify(outcome).includes(text)) return;
    throw new ExpectationError("mismatch", "a call got another result than its own", {
      expected: text,
      actual: outcome,
    });
  };
  const plays: Plays = {
    ...anything(talk, () => victim?.id),
    async call(step) {
      const { tool, params } = step as unknown as { tool: string; params: Record<string, unknown> };
      open.push(await call(tool, params, false));
    },
    // The newest first: results come in any order.
    answer: async () => open.length > 0 && answer(open.pop() as Open),
    late: async () => {
      talk.send.invalid({ type: "TOOL_RESULT", data: { toolCallId: "nobody", success: true, result: "late" } });
      await allRead(talk);
    },
  };
  return {
    async play(step: FuzzStep) {
      const isWrong = ["message", "again", "text", "binary"].includes(step.do);
      if (isWrong && victim === undefined) {
        victim = await call("grep_file", { pattern: "victim" }, true);
        open.push(await call("read_file", { relativePath: "witness" }, false));
      }
      await playBy(plays, step);
    },
    async finish() {
      for (const one of open.splice(0)) await answer(one);
      if (victim !== undefined) await answer(victim);
      victim = undefined;
      await answer(await call("read_file", { relativePath: "fresh" }, false));
      await allRead(talk);
    },
  };
}
