import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { headerCases, type HeaderFacts } from "../../../../packs/headers.js";
import { headers } from "../../headers.js";
import { defineCases, type ClientContext } from "../../client-role.js";

const header = { isolation: "connection" } as const;

const manyBytes = "ä€😀 — 世界";

/** A frame whose text has no character beyond ASCII. */
function escaped(message: unknown): Uint8Array {
  const code = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const body = JSON.stringify(message).replace(/[\u0080-\uffff]/g, code);
  return Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
}

/** The facts about the byte streams of clients for the shared pack. */
const headerFacts: HeaderFacts<ClientContext> = {
  prefix: "eca.client",
  role: "client",
  ...headers,
  charset: {
    requirement: "ECA-FRAME-006",
    request: { method: "editor/getDiagnostics", params: {} },
    alive: (t) => t.alive(),
  },
  ready: async (t) => void (await t.initialized()),
};

/** The messages of the server as the client shows them. */
async function messages(t: ClientContext): Promise<readonly Record<string, unknown>[]> {
  const { messages: list } = await t.report(t.chat());
  t.needs(Array.isArray(list), "the client does not report messages");
  return (list as unknown[]).filter(isObject);
}

/** Bytes, messages, and the beginning and end of a connection. */
export const wireCases: readonly Case[] = [
  ...headerCases(headerFacts),
  ...defineCases({
    "framing.bytes": {
      title: "Content-Length counts bytes",
      emits: ["ECA-FRAME-007"],
      async run(t) {
        await t.initialized();
        const chat = t.chat();
        const turn = await t.prompt(chat, manyBytes);
        turn.content({ type: "text", text: manyBytes });
        turn.end();
        await t.require("ECA-FRAME-007", turn.done);
        const { text } = await t.report(chat);
        t.check("ECA-FRAME-007", text === undefined || text === manyBytes, { expected: manyBytes, actual: text });
      },
    },
  }),
  ...defineCases(
    {
      "framing.escapes": {
        title: "characters are read as escapes, too",
        emits: ["ECA-FRAME-007"],
        async run(t) {
          t.encode(escaped);
          await t.require("ECA-FRAME-007", t.initialize());
          await t.require("ECA-FRAME-007", t.works());
        },
      },
    },
    header,
  ),
  ...["split:1", "coalesce"].flatMap((fault) =>
    defineCases(
      {
        [`framing.${fault.replace(/\W.*/, "")}`]: {
          title: `messages are read over a wire that does ${fault}`,
          emits: ["ECA-FRAME-004"],
          faults: [fault],
          async run(t) {
            await t.require("ECA-FRAME-004", t.initialize());
            await t.require("ECA-FRAME-004", t.works());
          },
        },
      },
      header,
    ),
  ),
  ...defineCases({
    "rpc.stray": {
      title: "answers without a pending request do no harm",
      emits: ["ECA-RPC-020"],
      async run(t) {
        await t.initialized();
        t.send.invalid({ jsonrpc: "2.0", id: 4_711_000, result: {} });
        t.send.invalid({ jsonrpc: "2.0", id: "no-such-id", error: { code: -32603, message: "x" } });
        await t.require("ECA-RPC-020", t.works());
      },
    },
    "rpc.order": {
      title: "answers may come in another order",
      emits: ["ECA-RPC-020"],
      async run(t) {
        const names = [t.chat(), t.chat()];
        const first = await t.prompt(names[0] ?? "");
        const second = await t.prompt(names[1] ?? "");
        second.content({ type: "text", text: "second" });
        second.end();
        await t.require("ECA-RPC-020", second.done);
        first.content({ type: "text", text: "first" });
        first.end();
        await t.require("ECA-RPC-020", first.done);
        const { text } = await t.report(names[0] ?? "");
        t.check("ECA-RPC-020", text === undefined || text === "first", { expected: "first", actual: text });
      },
    },
    ...defineCases.each(["editor/getDiagnostics", "foo/bar"], (method) => ({
      [`rpc.request-${method.replace("/", "-")}`]: {
        title: `a request of the server is answered: ${method}`,
        emits: ["ECA-RPC-021"],
        smoke: method === "foo/bar",
        async run(t) {
          await t.initialized();
          await t.require("ECA-RPC-021", t.send.request(method, {}).response());
        },
      },
    })),
    ...defineCases.each(["$/progress", "config/updated", "foo/changed"], (method) => ({
      [`rpc.notification-${method.replace(/\W/g, "")}`]: {
        title: `an unknown notification is ignored: ${method}`,
        emits: ["ECA-RPC-022"],
        async run(t) {
          await t.initialized();
          t.send.notify(method, { type: "start", taskId: "x", title: "X", chat: { models: [] } });
          await t.require("ECA-RPC-022", t.quiet(100, { message: { error: {} } }));
          await t.require("ECA-RPC-022", t.works());
        },
      },
    })),
  }),
  ...defineCases(
    {
      "rpc.at-once": {
        title: "a notification right after the answer to initialize is not lost",
        emits: ["ECA-RPC-023"],
        async run(t) {
          await t.initialize(() =>
            t.send.notify("tool/serverUpdated", { type: "native", name: "ECA", status: "running", tools: [] }),
          );
          await t.works();
          const { servers } = await t.report(t.chat());
          t.needs(Array.isArray(servers), "the client does not report servers");
          const told = (servers as unknown[]).some((server) => isObject(server) && server["name"] === "ECA");
          t.check("ECA-RPC-023", told, { expected: "ECA", actual: servers });
        },
      },
      "life.shutdown": {
        title: "exit is sent after shutdown and its answer",
        emits: ["ECA-LIFE-022", "ECA-LIFE-026"],
        async run(t) {
          await t.initialize();
          t.answer("shutdown", () => undefined);
          const over = t.act("quit", {}, { optional: true });
          const ask = await t.require(
            "ECA-LIFE-022",
            Promise.race([t.expect.request("shutdown"), over.then(() => t.expect.request("shutdown"))]),
          );
          await t.pace(150);
          const early = t.rest("exit");
          t.check(
            "ECA-LIFE-022",
            early.every(({ at }) => at > ask.at),
            { expected: "no exit before shutdown", actual: early },
          );
          t.check("ECA-LIFE-026", early.length === 0, {
            expected: "no exit before the answer to shutdown",
            actual: early,
          });
          t.reply(ask, null);
          await t.require("ECA-LIFE-022", t.expect.notify("exit"));
          await over;
          // Later messages are judged by the monitors.
          await t.pace(100);
        },
      },
      "life.lost": {
        title: "a turn fails when the connection is lost",
        emits: ["ECA-LIFE-023"],
        async run(t) {
          await t.initialize();
          const turn = await t.prompt(t.chat());
          t.needs(t.conversation.link.control !== undefined, "the client cannot report this");
          t.halfClose();
          // That the wait for it was given up says nothing of the client: then the turn did not end.
          const what = await turn.done.then(
            () => "done",
            (error: unknown) =>
              error instanceof Error && "miss" in error && error.miss === "timeout" ? "nothing" : "failed",
          );
          t.check("ECA-LIFE-023", what === "failed", { expected: "a turn that fails", actual: what });
        },
      },
    },
    header,
  ),
  ...defineCases({
    ...defineCases.each(
      [
        ["error", ["error", "warning", "info"], "ECA-MSG-020"],
        ["debug", ["debug"], "ECA-MSG-021"],
      ] as const,
      ([name, types, req]) => ({
        [`message.${name}`]: {
          title: `messages of the server are shown: ${types.join(", ")}`,
          emits: [req],
          async run(t) {
            await t.initialized();
            const sent = types.flatMap((type) =>
              ["A message", "Another message"].map((words) => ({ type, message: `${words}: ${type}, ${t.now()}` })),
            );
            for (const params of sent) t.send.invalid({ jsonrpc: "2.0", method: "$/showMessage", params });
            await t.works();
            const shown = await messages(t);
            for (const { type, message } of sent) {
              const wanted = type === "debug" ? "info" : type;
              const found = shown.find((one) => one["message"] === message);
              t.check(req, found?.["type"] === wanted, { expected: `${wanted}: ${message}`, actual: found });
            }
          },
        },
      }),
    ),
  }),
];
