import { isObject } from "@editwire/core";
import { where } from "../../../../trace/pattern.js";
import { agentResult, modes, permissionOptions } from "../../as-agent.js";
import { defineCases } from "../../client-role.js";

const QUIET_MS = 150;
const vendor = { _meta: { "example.org/trace": { id: 1 } }, "vendor-field": ["x"], safetyLevel: 3 };

const isAnswer = where("answer", (message: unknown) => isObject(message) && !("method" in message));

/** Section 2: what a client makes of messages. */
export const rpcCases = defineCases({
  "rpc.unknown-request": {
    title: "the agent sends a request that ACP does not know",
    emits: ["ACP-RPC-011"],
    smoke: true,
    async run(t) {
      const session = await t.session();
      await t.require("ACP-RPC-011", t.send.request("_conformance/unknown", { a: 1 }).error(-32601));
      await t.require("ACP-RPC-011", t.works(session));
    },
  },
  "rpc.unknown-notification": {
    title: "the agent sends a notification that ACP does not know",
    emits: ["ACP-RPC-012"],
    async run(t) {
      const session = await t.session();
      t.send.notify("_conformance/unknown", { a: 1 });
      t.send.notify("$/progress", { token: 1 });
      await t.require("ACP-RPC-012", t.quiet(QUIET_MS, { message: isAnswer }));
      await t.require("ACP-RPC-012", t.works(session));
    },
  },
  "rpc.errors": {
    title: "session/new, session/set_mode and session/prompt are answered with errors",
    emits: ["ACP-RPC-015"],
    async run(t) {
      t.steer("try again");
      await t.initialized();
      t.answer("session/new", () => ({ error: { code: -32603, message: "no more sessions", data: { limit: 3 } } }));
      await t.act("new-session", { cwd: "/tmp" }).catch(() => {});
      const session = await t.require("ACP-RPC-015", t.session());
      const turn = await t.require("ACP-RPC-015", t.prompt(session));
      t.refuse(turn.ask, { code: -32603, message: "prompt execution failed", data: "out of tokens" });
      await turn.done.catch(() => {});
      t.answer("session/set_mode", () => ({ error: { code: -32602, message: "not now" } }));
      await t.act("set-mode", { sessionId: session.id, modeId: "read-only" }, { optional: true }).catch(() => {});
      await t.require("ACP-RPC-015", t.works(session));
    },
  },
  "rpc.error-without-id": {
    title: "errors arrive that belong to no request",
    emits: ["ACP-RPC-016"],
    isolation: "rough",
    async run(t) {
      const session = await t.session();
      t.send.invalid({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
      t.send.invalid({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } });
      await t.require("ACP-RPC-016", t.works(session));
    },
  },
  "rpc.stray-answers": {
    title: "answers arrive for no request, and a second time",
    emits: ["ACP-RPC-017"],
    isolation: "rough",
    async run(t) {
      const session = await t.session();
      t.send.invalid({ jsonrpc: "2.0", id: 999_999, result: {} });
      t.send.invalid({ jsonrpc: "2.0", id: "no-such-id", result: {} });
      t.send.invalid({ jsonrpc: "2.0", id: session.ask.id, result: { sessionId: "another", modes } });
      await t.require("ACP-RPC-017", t.works(session));
    },
  },
  "rpc.noise": {
    title: "lines arrive that are not messages",
    emits: ["ACP-RPC-018"],
    isolation: "rough",
    transports: ["stdio"],
    async run(t) {
      const session = await t.session();
      t.send.bytes("Debugger attached.\n\n{not json}\n");
      t.send.invalid([]);
      t.send.invalid(null);
      t.send.invalid({ jsonrpc: "2.0" });
      await t.require("ACP-RPC-018", t.works(session));
    },
  },
  "rpc.unknown-fields": {
    title: "messages have fields that ACP does not know",
    emits: ["ACP-RPC-020"],
    isolation: "connection",
    async run(t) {
      const { agentInfo, agentCapabilities } = agentResult;
      await t.initialize({
        ...agentResult,
        ...vendor,
        agentInfo: { ...agentInfo, ...vendor },
        agentCapabilities: { ...agentCapabilities, ...vendor },
      });
      const session = await t.require(
        "ACP-RPC-020",
        t.session({ result: (sessionId) => ({ sessionId, modes: { ...modes, ...vendor }, ...vendor }) }),
      );
      if (t.steered) await t.permission("reject");
      const turn = await t.require("ACP-RPC-020", t.prompt(session));
      turn.update({
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: "Hm", annotations: { audience: ["user"] }, ...vendor },
        ...vendor,
      });
      const options = permissionOptions.map((option) => ({ ...option, ...vendor }));
      await t.require(
        "ACP-RPC-020",
        t.ask(session, { toolCall: { toolCallId: "call-1", title: "A tool", ...vendor }, options, ...vendor }).result(),
      );
      t.reply(turn.ask, { stopReason: "end_turn", ...vendor });
      await t.require("ACP-RPC-020", turn.done);
      await t.require("ACP-RPC-020", t.works(session));
    },
  },
  "rpc.answers-in-any-order": {
    title: "of two requests, the later one is answered first",
    emits: ["ACP-RPC-021"],
    async run(t) {
      t.steer("do two things at a time");
      const session = await t.session();
      const turn = await t.prompt(session);
      const over = turn.done.then(
        () => "session/prompt",
        () => "session/prompt",
      );
      const opened = t.session().then(
        () => "session/new",
        () => "nothing",
      );
      const answered = await Promise.race([over, opened]);
      if (answered === "nothing") t.notApplicable("the client opens no session while a turn runs");
      t.check("ACP-RPC-021", answered === "session/new", {
        expected: "session/new counts as answered",
        actual: `${answered} is`,
      });
      turn.end();
      await t.require("ACP-RPC-021", turn.done);
    },
  },
});
