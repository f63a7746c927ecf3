import type { Case } from "../../../../core/run/case.js";
import type { Incoming } from "../../../../core/talk/talk.js";
import { defineCases, type BackendContext } from "../../backend-role.js";
import { projectKey } from "../../samples.js";

const role = "backend";
/** The statuses that end an answer. */
const ends = /^(COMPLETED|SUCCESS|ERROR|FAILED|CANCELLED)$/;
let chats = 0;

/** Sends a message, and demands the one that answers it. */
async function answered(
  t: BackendContext,
  req: string,
  [type, data]: readonly [string, object],
  [answer, fields]: readonly [string, object],
): Promise<Incoming> {
  t.send.invalid({ type, data });
  return t.require(req, t.expect.notify(answer, fields));
}

/** The errors that answer what is not a message of a plugin. */
const errors: Readonly<Record<string, readonly [req: string, sent: unknown, errorCode: string]>> = {
  "unknown-type": ["SMAN-V2-005", { type: "DANCE", data: {} }, "UNKNOWN_MESSAGE_TYPE"],
  "no-type": ["SMAN-V2-006", { data: {} }, "INVALID_MESSAGE"],
  "no-json": ["SMAN-V2-006", "this is not JSON", "MESSAGE_PARSE_ERROR"],
};

/** Cases about messages on a connection besides calls. */
const talkCases: readonly Case[] = defineCases({
  "v2.connected": {
    isolation: "connection",
    title: "a connection is greeted, before anything else",
    emits: ["SMAN-V2-003"],
    async run(t) {
      const greeting = { sessionId: t.socket.id, projectKey };
      await t.require("SMAN-V2-003", t.expect.notify("CONNECTED", greeting));
      const [first] = t.history().filter(({ entry }) => entry.from === "target");
      const isFirst = first?.is.kind === "notification" && first.is.method === "CONNECTED";
      t.check("SMAN-V2-003", isFirst, { expected: "CONNECTED first", actual: first?.entry.message });
    },
  },
  "v2.ping": {
    title: "pings are answered with their time",
    emits: ["SMAN-V2-004"],
    async run(t) {
      for (const timestamp of [17, Date.now()])
        await answered(t, "SMAN-V2-004", ["PING", { timestamp }], ["PONG", { timestamp }]);
    },
  },
  ...defineCases.each(Object.entries(errors), ([name, [req, sent, errorCode]]) => ({
    [`v2.error-${name}`]: {
      title: `an invalid message of a plugin is answered by ${errorCode}: ${name}`,
      emits: [req],
      async run(t) {
        if (typeof sent === "string") t.send.bytes(sent);
        else t.send.invalid(sent);
        await t.require(req, t.expect.notify("ERROR", { errorCode }));
        await t.require(req, t.works());
      },
    },
  })),
  "v2.stop": {
    title: "a stop is answered even if nothing runs",
    emits: ["SMAN-V2-007"],
    async run(t) {
      await answered(t, "SMAN-V2-007", ["STOP", {}], ["STOPPED", { sessionId: t.socket.id }]);
      await t.require("SMAN-V2-007", t.works());
    },
  },
});

/** How chats are answered. */
const chatCases: readonly Case[] = defineCases({
  ...defineCases.each(["", `conformance-chat-${role}`], (sessionId) => ({
    [`v2.chat-${sessionId === "" ? "of-the-connection" : "of-its-own"}`]: {
      title: "a chat is answered, for its session",
      emits: ["SMAN-V2-008"],
      async run(t) {
        const chat = { sessionId, projectKey, message: "Say hello." };
        const own = sessionId === "" ? t.socket.id : sessionId;
        await answered(t, "SMAN-V2-008", ["AGENT_CHAT", chat], ["AGENT_RESPONSE", { sessionId: own, status: ends }]);
      },
    },
  })),
  "v2.busy": {
    title: "a chat that waits for a tool delays nothing else on its connection",
    emits: ["SMAN-V2-009"],
    async run(t) {
      const relativePath = `chat-${++chats}.txt`;
      const message = `Read the file ${relativePath} with read_file.`;
      t.send.notify("AGENT_CHAT", { sessionId: "", projectKey, message });
      const over = t.expect.notify("AGENT_RESPONSE", { status: ends });
      const asked = t.expect.request("TOOL_CALL", { toolName: "read_file", params: { relativePath } });
      const isAsked = await Promise.race([asked, over]).then(
        ({ method }) => method === "TOOL_CALL",
        () => false,
      );
      t.needs(isAsked, "the backend reads no file that a chat names");
      await answered(t, "SMAN-V2-009", ["PING", { timestamp: 18 }], ["PONG", { timestamp: 18 }]);
      await t.require("SMAN-V2-009", t.works());
      t.succeed(await asked, "Hello");
      await t.require("SMAN-V2-009", over);
    },
  },
});

/** Cases about backends of sman 2.0: the profile `v2`. */
export const v2Cases: readonly Case[] = [...talkCases, ...chatCases];
