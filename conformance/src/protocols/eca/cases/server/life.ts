import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Case } from "../../../../core/run/case.js";
import { sampleParams } from "../../samples.js";
import { secondWorkspace, workspace } from "../../../../core/run/workspace.js";
import { defineCases, folderAt, initializeParams } from "../../server-role.js";

const header = { isolation: "connection" } as const;
const last = { isolation: "last" } as const;
/** Servers look every few seconds whether the process is there. */
const PARENT_MS = 12_000;
/** A process of its own has to start first. */
const start = { deadline: 20_000 };

/** How long the process of an MCP server may take to start. */
const MCP_START_MS = 20_000;

/** Params of `initialize` that lack what the specification does not demand. */
const optional: Readonly<Record<string, Record<string, unknown>>> = {
  "no-client-info": without("clientInfo"),
  "no-options": without("initializationOptions"),
  "no-capabilities": { ...initializeParams, capabilities: {} },
  // Beside them, two folders.
  bare: { processId: null, capabilities: {}, workspaceFolders: [workspace, secondWorkspace].map(folderAt) },
};

/** Params of `initialize` that real clients send. */
const beginnings: Readonly<Record<string, Record<string, unknown>>> = {
  "no-process": without("processId"),
  "null-options": { ...initializeParams, initializationOptions: { chatBehavior: null } },
  "more-capabilities": {
    ...initializeParams,
    capabilities: { codeAssistant: { chat: {}, rewrite: true, editor: { diagnostics: true } }, acme: 1 },
  },
};

function without(field: keyof typeof initializeParams): Record<string, unknown> {
  const { [field]: _, ...others } = initializeParams;
  return others;
}

const tolerant = [
  ...Object.entries(optional).map((entry) => [...entry, "ECA-LIFE-016"] as const),
  ...Object.entries(beginnings).map((entry) => [...entry, "ECA-LIFE-002"] as const),
].flatMap(([name, params, req]) =>
  defineCases(
    {
      [`life.initialize-${name}`]: {
        title: `initialize is answered: ${name}`,
        emits: [req],
        async run(t) {
          const id = t.conversation.freshId();
          await t.require(
            req,
            t.send.invalid({ jsonrpc: "2.0", id, method: "initialize", params }).result(undefined, start),
          );
        },
      },
    },
    header,
  ),
);

const sayNothing: readonly (readonly [name: string, message: Record<string, unknown>, req: string])[] = [
  ["absent", {}, "ECA-LIFE-006"],
  ["null", { params: null }, "ECA-LIFE-017"],
  ["object", { params: {} }, "ECA-LIFE-017"],
  ["list", { params: [] }, "ECA-LIFE-017"],
];

const empties = sayNothing.flatMap(([name, params, req]) =>
  defineCases(
    {
      [`life.params-${name}`]: {
        title: `empty params are accepted: ${name}`,
        emits: [req],
        async run(t) {
          await t.send.request("initialize", initializeParams).result(undefined, start);
          // Only shutdown and exit have no params in the specification.
          t.send.invalid({ jsonrpc: "2.0", method: "initialized", params: {}, ...params });
          const id = t.conversation.freshId();
          const call = t.send.invalid({ jsonrpc: "2.0", id, method: "shutdown", ...params });
          const answer = await t.require(req, call.response());
          t.check(req, answer.error === undefined, { expected: "a result", actual: answer.error });
          t.send.invalid({ jsonrpc: "2.0", method: "exit", ...params });
          await t.require(req, t.expect.closed());
        },
      },
    },
    header,
  ),
);

/** Lifecycle messages. */
export const lifeCases: readonly Case[] = [
  ...defineCases({
    "life.initialize": {
      title: "the answer to initialize reports what the server has",
      emits: ["ECA-LIFE-001", "ECA-LIFE-014"],
      smoke: true,
      async run(t) {
        const { models, chatDefaultModel, chatBehaviors, chatDefaultBehavior, chatWelcomeMessage } =
          await t.initialized();
        const list = (value: unknown): readonly unknown[] | undefined =>
          Array.isArray(value) ? (value as unknown[]) : undefined;
        const model = list(models)?.length === 0 || list(models)?.includes(chatDefaultModel) === true;
        t.check("ECA-LIFE-001", list(models) !== undefined && typeof chatDefaultModel === "string", {
          expected: "models and a chatDefaultModel",
          actual: { models, chatDefaultModel },
        });
        t.check("ECA-LIFE-014", model, {
          expected: "chatDefaultModel one of models",
          actual: { models, chatDefaultModel },
        });
        t.check("ECA-LIFE-001", list(chatBehaviors) !== undefined && typeof chatDefaultBehavior === "string", {
          expected: "chatBehaviors and a chatDefaultBehavior",
          actual: { chatBehaviors, chatDefaultBehavior },
        });
        t.check("ECA-LIFE-014", list(chatBehaviors)?.includes(chatDefaultBehavior) === true, {
          expected: "chatDefaultBehavior one of chatBehaviors",
          actual: { chatBehaviors, chatDefaultBehavior },
        });
        t.check("ECA-LIFE-001", typeof chatWelcomeMessage === "string", {
          expected: "a chatWelcomeMessage",
          actual: chatWelcomeMessage,
        });
      },
    },
  }),
  ...tolerant,
  ...defineCases(
    {
      "life.behavior": {
        title: "a chatBehavior is accepted, beside a client without a version, and becomes the default",
        emits: ["ECA-LIFE-016", "ECA-LIFE-003"],
        async run(t) {
          const { name } = initializeParams.clientInfo;
          const params = { ...initializeParams, clientInfo: { name }, initializationOptions: { chatBehavior: "plan" } };
          const asked = t.send.request("initialize", params);
          const { chatDefaultBehavior } = await t.require("ECA-LIFE-016", asked.result(undefined, start));
          t.check("ECA-LIFE-003", chatDefaultBehavior === "plan", { expected: "plan", actual: chatDefaultBehavior });
        },
      },
      "life.before-initialize": {
        isolation: "unopened",
        title: "a request before initialize is refused with -32002",
        emits: ["ECA-LIFE-004"],
        async run(t) {
          await t.require(
            "ECA-LIFE-004",
            t.send.request("chat/queryCommands", sampleParams("chat/queryCommands")).error(-32002),
          );
        },
      },
      "life.parent": {
        title: "the end of the process of processId ends the server",
        emits: ["ECA-LIFE-011"],
        transports: ["stdio"],
        async run(t) {
          t.needs(t.transport !== "unix", "the server serves more clients than this one");
          const parent = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
            stdio: ["pipe", "ignore", "ignore"],
          });
          const ended = once(parent, "exit");
          try {
            const params = { ...initializeParams, processId: parent.pid ?? null };
            await t.send.request("initialize", params).result(undefined, start);
            t.send.notify("initialized", {});
            await t.alive();
          } finally {
            parent.kill("SIGKILL");
            await ended;
          }
          await t.require("ECA-LIFE-011", t.expect.closed({ deadline: PARENT_MS }));
        },
      },
      "life.native-tools": {
        title: "the native tools are reported after initialized",
        emits: ["ECA-LIFE-007"],
        async run(t) {
          await t.initialized();
          await t.require(
            "ECA-LIFE-007",
            t.expect.notify("tool/serverUpdated", { type: "native", name: "ECA", status: "running" }),
          );
        },
      },
    },
    header,
  ),
  ...empties,
  ...defineCases(
    {
      "life.exit": {
        title: "shutdown is answered with null, and exit ends the server",
        emits: ["ECA-LIFE-008", "ECA-LIFE-009"],
        smoke: true,
        async run(t) {
          await t.initialized();
          const answer = await t.send.request("shutdown").response();
          t.check("ECA-LIFE-008", answer.result === null && answer.error === undefined, {
            expected: "result null",
            actual: answer,
          });
          t.send.notify("exit");
          await t.require("ECA-LIFE-009", t.expect.closed());
        },
      },
      "life.exit-alone": {
        title: "exit alone ends the server",
        emits: ["ECA-LIFE-015"],
        async run(t) {
          await t.initialized();
          t.send.notify("exit");
          await t.require("ECA-LIFE-015", t.expect.closed());
        },
      },
      "life.shutdown": {
        title: "the server waits for exit after shutdown",
        emits: ["ECA-LIFE-018"],
        async run(t) {
          await t.initialized();
          await t.send.request("shutdown").response();
          const waits = t.expect.closed({ deadline: 200 }).then(
            () => false,
            () => true,
          );
          t.check("ECA-LIFE-018", await waits, { expected: "a server that waits for exit", actual: "its end" });
          t.send.notify("exit");
        },
      },
      "life.end-of-input": {
        title: "the end of input ends the server",
        emits: ["ECA-LIFE-010"],
        async run(t) {
          await t.initialized();
          t.halfClose();
          await t.require("ECA-LIFE-010", t.expect.closed());
        },
      },
    },
    last,
  ),
  ...defineCases({
    "mcp.unknown": {
      title: "starting and stopping an unknown server has no effect",
      emits: ["ECA-MCP-001"],
      async run(t) {
        await t.initialized();
        t.send.notify("mcp/stopServer", { name: "no-such-server" });
        t.send.notify("mcp/startServer", { name: "no-such-server" });
        await t.require("ECA-MCP-001", t.alive());
      },
    },
  }),
  ...defineCases(
    {
      "mcp.restart": {
        title: "a server that is stopped and started is reported",
        emits: ["ECA-MCP-002", "ECA-MCP-003"],
        async run(t) {
          await t.initialized();
          await t.quiet(300).catch(() => {});
          const servers = t.rest("tool/serverUpdated", { type: "mcp" });
          const before = t.now();
          const name = servers[0]?.params["name"];
          t.needs(name !== undefined, "the server has no MCP server");
          for (const [method, status] of [
            ["mcp/stopServer", /^stopp/],
            ["mcp/startServer", /^(starting|running|failed)$/],
            ["mcp/stopServer", /^stopp/],
            ["mcp/startServer", /^(starting|running|failed)$/],
          ] as const) {
            // Earlier reports say nothing about this step.
            for (const { params } of t.rest("tool/serverUpdated", { type: "mcp", name }))
              await t.expect.notify("tool/serverUpdated", params);
            t.send.notify(method, { name });
            const update = { type: "mcp", name, status };
            const told = await t.require("ECA-MCP-002", t.expect.notify("tool/serverUpdated", update));
            if (method === "mcp/stopServer") {
              await t.alive();
              const again = t.rest("tool/serverUpdated", { ...update, status: /^(starting|running)$/ });
              t.check("ECA-MCP-002", again.length === 0, { expected: "a server that stays stopped", actual: again[0] });
            }
            if (told.params["status"] !== "starting") continue;
            const started = { ...update, status: /^(running|failed)$/ };
            await t.require("ECA-MCP-002", t.expect.notify("tool/serverUpdated", started, { deadline: MCP_START_MS }));
          }
          const others = t.rest("tool/serverUpdated", { type: "mcp" }).filter(({ params }) => params["name"] !== name);
          t.needs(
            others.some(({ params }) => params["status"] === "running"),
            "no other MCP server runs",
          );
          const stopped = others.filter(
            ({ at, params }) => at > before && String(params["status"]).startsWith("stopp"),
          );
          t.check("ECA-MCP-003", stopped.length === 0, { expected: "a stop of one server", actual: stopped[0] });
        },
      },
    },
    header,
  ),
];
