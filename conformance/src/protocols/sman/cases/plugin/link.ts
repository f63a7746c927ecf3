import type { Case } from "../../../../core/run/case.js";
import { defineCases, type PluginContext } from "../../plugin-role.js";
import { pingData } from "../../../../packs/socket.js";
import { chatPath, projectKey } from "../../samples.js";

const header = { isolation: "connection" } as const;
/** Bytes of a call that a plugin must take. */
const BIG = 2 * 1024 * 1024;
const TOO_BIG = 10 * 1024 * 1024 + 64 * 1024;
const TOO_BIG_CODE = 1009;

/** A call whose message is larger than a number of bytes. */
function bigCall(t: PluginContext, bytes: number, id: unknown): unknown {
  const description = "漢".repeat(Math.ceil(bytes / 3));
  const params = { relativePath: "README.md", searchContent: "nobody wrote this", replaceContent: "x", description };
  return t.conversation.envelope.request(id, "TOOL_CALL", t.fields("apply_change", params));
}

/** How plugins come, and what a WebSocket may do. */
export const linkCases: readonly Case[] = defineCases(
  {
    "link.dial": {
      title: "the plugin dials /ws/agent/chat with its sessionId and its projectKey",
      emits: ["SMAN-LINK-001"],
      async run(t) {
        const { entries } = t.conversation.link.trace;
        const dialed = entries.find((entry) => entry.kind === "event" && entry.name === "connected");
        const data = dialed?.kind === "event" ? (dialed.data as { url?: unknown }) : {};
        const { pathname, searchParams } = new URL(String(data.url), "ws://localhost");
        const isRight =
          pathname === chatPath &&
          searchParams.get("sessionId") === t.socket.id &&
          searchParams.get("projectKey") === projectKey;
        t.check("SMAN-LINK-001", isRight, {
          expected: `${chatPath}?sessionId=${t.socket.id}&projectKey=${projectKey}`,
          actual: data.url,
        });
        await Promise.resolve();
      },
    },
    "link.ping": {
      title: "pings are answered",
      emits: ["SMAN-LINK-002"],
      async run(t) {
        for (let count = 0; count < 2; count++) await t.require("SMAN-LINK-002", t.allRead());
        await t.require("SMAN-LINK-002", t.works());
      },
    },
    "link.ping-data": pingData("SMAN-LINK-007"),
    "link.fragments": {
      title: "a call in several frames is read",
      emits: ["SMAN-LINK-003"],
      async run(t) {
        const id = t.conversation.freshId();
        const message = t.conversation.envelope.request(
          id,
          "TOOL_CALL",
          t.fields("grep_file", { pattern: "漢字 and" }),
        );
        const text = JSON.stringify(message);
        t.conversation.link.trace.add({ kind: "message", from: "suite", message });
        t.socket.fragments([text.slice(0, 1), text.slice(1, 40), "", text.slice(40)]);
        await t.require("SMAN-LINK-003", t.expect.message({ data: { toolCallId: id, success: true } }));
        await t.require("SMAN-LINK-003", t.works());
      },
    },
    "link.big": {
      title: "a call of 2 MiB is answered",
      emits: ["SMAN-LINK-003"],
      async run(t) {
        await t.require("SMAN-LINK-003", t.send.invalid(bigCall(t, BIG, t.conversation.freshId())).response());
        await t.require("SMAN-LINK-003", t.works());
      },
    },
    "link.too-big": {
      title: "a message of more than 10 MiB ends the connection with the code 1009",
      emits: ["SMAN-LINK-004"],
      deadline: 10_000,
      async run(t) {
        // A plugin that takes it has nothing to answer.
        t.send.bytes(JSON.stringify({ type: "x-vendor/big", data: { text: "x".repeat(TOO_BIG) } }));
        const closed = await t.require("SMAN-LINK-004", t.expect.event("close"));
        const { code } = closed.data as { code?: unknown };
        t.check("SMAN-LINK-004", code === TOO_BIG_CODE, { expected: TOO_BIG_CODE, actual: code });
      },
    },
    "link.lost": {
      title: "a call whose connection is lost is not answered on the next one",
      emits: ["SMAN-LINK-005"],
      async run(t) {
        await t.works();
        t.call("call_chain", { method: "Shop.openShop", depth: 2 });
        // A plugin that does not dial again sends nothing any more.
        const back = t.expect.event("connected", { deadline: REDIAL_MS });
        void t.socket.reconnect?.();
        await back.catch(() => t.notApplicable("the plugin does not dial again"));
        await t.require("SMAN-LINK-005", t.works());
        await t.require("SMAN-LINK-005", t.quiet(QUIET_MS));
        const results = t.history().filter(({ is }) => is.kind === "result");
        t.check("SMAN-LINK-005", results.length === 2, {
          expected: "no result of a call of the connection before",
          actual: results.map(({ entry }) => entry.message),
        });
      },
    },
  },
  header,
);

const REDIAL_MS = 5_000;
const QUIET_MS = 300;
