import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/case.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { defineCases, type ClientContext } from "../../client-role.js";

const header = { isolation: "connection" } as const;

const frames: Readonly<Record<string, (message: unknown) => Uint8Array>> = {
  "content-type": (message) => {
    const body = Buffer.from(JSON.stringify(message));
    return Buffer.concat([
      Buffer.from(`Content-Length: ${body.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`),
      body,
    ]);
  },
  escapes: (message) => {
    const body = JSON.stringify(message).replace(
      /[\u0080-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    return Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
  },
};

/** The messages of the server as the client shows them. */
async function messages(t: ClientContext): Promise<readonly Record<string, unknown>[]> {
  const { messages: list } = await t.report(t.chat());
  t.needs(Array.isArray(list), "the client does not report messages");
  return (list as unknown[]).filter(isObject);
}

/** Bytes, messages, and the beginning and end of a connection. */
export const wireCases: readonly Case[] = [
  ...Object.entries(frames).flatMap(([name, encode]) =>
    defineCases(
      {
        [`framing.${name}`]: {
          title: `messages are read: ${name}`,
          emits: ["ECA-FRAME-020"],
          async run(t) {
            t.encode(encode);
            await t.require("ECA-FRAME-020", t.initialize());
            await t.require("ECA-FRAME-020", t.works());
          },
        },
      },
      header,
    ),
  ),
  ...["split:1", "coalesce"].flatMap((fault) =>
    defineCases(
      {
        [`framing.${fault.replace(/\W.*/, "")}`]: {
          title: `messages are read over a wire that does ${fault}`,
          emits: ["ECA-FRAME-020"],
          faults: [fault],
          async run(t) {
            await t.require("ECA-FRAME-020", t.initialize());
            await t.require("ECA-FRAME-020", t.works());
          },
        },
      },
      header,
    ),
  ),
  ...defineCases(
    {
      "framing.many": {
        title: "several messages in one piece are read",
        emits: ["ECA-FRAME-020"],
        async run(t) {
          await t.initialize();
          const turn = await t.prompt(t.chat());
          const result = {
            jsonrpc: "2.0",
            id: turn.ask.id,
            result: { chatId: turn.chatId, model: "suite/one", status: "success" },
          };
          const end = {
            jsonrpc: "2.0",
            method: "chat/contentReceived",
            params: { chatId: turn.chatId, role: "system", content: { type: "progress", state: "finished", text: "" } },
          };
          for (const message of [result, end])
            t.conversation.link.trace.add({ kind: "message", from: "suite", message });
          t.conversation.asked.clear();
          t.send.bytes(Buffer.concat([encodeFrame(result, "header"), encodeFrame(end, "header")]));
          await t.require("ECA-FRAME-020", turn.done);
        },
      },
    },
    header,
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
        ["error", "error", "ECA-MSG-020"],
        ["debug", "info", "ECA-MSG-021"],
      ] as const,
      ([type, wanted, req]) => ({
        [`message.${type}`]: {
          title: `a message of the server is shown: ${type}`,
          emits: [req],
          async run(t) {
            await t.initialized();
            const sent = ["A message", "Another message"].map((words) => `${words}, ${t.now()}`);
            for (const message of sent)
              t.send.invalid({ jsonrpc: "2.0", method: "$/showMessage", params: { type, message } });
            await t.works();
            const shown = await messages(t);
            for (const message of sent) {
              const found = shown.find((one) => one["message"] === message);
              t.check(req, found?.["type"] === wanted, { expected: `${wanted}: ${message}`, actual: found });
            }
          },
        },
      }),
    ),
  }),
];
