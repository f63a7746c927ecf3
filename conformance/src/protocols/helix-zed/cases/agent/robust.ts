import { type Case, defineCase } from "../../../../core/case.js";
import { breakages } from "../../../../generate/broken.js";
import { accept } from "../../accept.js";
import type { AgentContext } from "../../agent-role.js";
import { sampleParams, takesParams } from "../../samples.js";

const header = { role: "agent" } as const;

const frames: Readonly<Record<string, string>> = {
  garbage: "this is no JSON",
  half: '{"type":"chat_message","data":{"message":',
  empty: "",
  null: "null",
  list: "[]",
  text: '"chat_message"',
  deep: "[".repeat(2_000),
};

const frameCases = Object.entries(frames).map(([name, text]) =>
  defineCase<AgentContext>(
    {
      ...header,
      id: `helix-zed.agent.robust.frame-${name}`,
      title: `goes on after a frame that is no object: ${name}`,
      emits: ["HELIX-ROBUST-001"],
    },
    async (t) => {
      t.send.bytes(text);
      await t.require("HELIX-ROBUST-001", t.works());
    },
  ),
);

const types: Readonly<Record<string, unknown>> = {
  unknown: { type: "dance", data: { helix_session_id: "ses_x", request_id: "req_x" } },
  missing: { data: {} },
  number: { type: 7, data: {} },
};

const typeCases = Object.entries(types).map(([name, message]) =>
  defineCase<AgentContext>(
    {
      ...header,
      id: `helix-zed.agent.robust.type-${name}`,
      title: `ignores a message of a type that it does not know: ${name}`,
      emits: ["HELIX-ROBUST-002"],
    },
    async (t) => {
      t.send.invalid(message);
      await t.require("HELIX-ROBUST-002", t.works());
      const said = t.rest().filter(({ params }) => params["request_id"] === "req_x");
      t.check("HELIX-ROBUST-002", said.length === 0, { expected: "no word about it", actual: said });
    },
  ),
);

const right = sampleParams("chat_message", {
  helix_session_id: "ses_odd",
  acp_thread_id: null,
  message: "conf:text {}",
  request_id: "req_odd",
});
/** Whether a chat_message stays wrong when the forms of real hosts are read. */
const isWrong = (data: unknown): boolean => !takesParams("chat_message", accept("chat_message", "params", data));

const wrong: Readonly<Record<string, unknown>> = {
  "data-missing": undefined,
  "data-null": null,
  "data-list": [right],
  ...Object.fromEntries(
    breakages((data) => takesParams("chat_message", data), right)
      .filter(({ structured, apply }) => structured && isWrong(apply(right)))
      // Each has a request of its own, so that the answers of agents that take some of them can be told apart.
      .map(({ name, apply }) => [name.replaceAll("_", "-"), apply({ ...right, request_id: `req_odd_${name}` })]),
  ),
};

const dataCases = Object.entries(wrong).map(([name, data]) =>
  defineCase<AgentContext>(
    {
      ...header,
      id: `helix-zed.agent.robust.${name}`,
      title: `goes on after a chat_message that is wrong: ${name}`,
      emits: ["HELIX-ROBUST-003"],
    },
    async (t) => {
      t.send.invalid({ type: "chat_message", ...(data !== undefined && { data }) });
      await t.require("HELIX-ROBUST-003", t.works());
    },
  ),
);

/** What real hosts send beside what the specification has. */
const moreFields = {
  session_id: "ses_more",
  agent_name: "zed-agent",
  interrupt: false,
  from_queue: true,
  is_continue: false,
  interaction_id: "int_1",
  track_code_changes: true,
  "x-unknown": { deep: [1] },
};

/** What an agent has to survive. */
export const robustCases: readonly Case[] = [
  ...frameCases,
  defineCase<AgentContext>(
    {
      ...header,
      id: "helix-zed.agent.robust.frame-binary",
      title: "goes on after a binary frame",
      emits: ["HELIX-ROBUST-001"],
    },
    async (t) => {
      t.socket.binary(Uint8Array.of(0, 255, 254, 10, 123));
      await t.require("HELIX-ROBUST-001", t.works());
    },
  ),
  ...typeCases,
  ...dataCases,
  defineCase<AgentContext>(
    {
      ...header,
      id: "helix-zed.agent.robust.more-fields",
      title: "fields that the specification does not have are ignored",
      emits: ["HELIX-ROBUST-004"],
      needs: ["text"],
    },
    async (t) => {
      const session = t.session();
      const turn = t.chat(session, t.say("text"), { ...moreFields, session_id: session });
      await t.require("HELIX-ROBUST-004", turn.added());
      await t.require("HELIX-ROBUST-004", turn.completed());
    },
  ),
];
