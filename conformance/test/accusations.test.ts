import { configurationDefaults as kaiakDefaults } from "@editwire/kaiak-schema";
import { describe, expect, test } from "vitest";
import { acp, checkTrace, eca, httpTarget, kaiak, memoryTarget, runConformance } from "../src/index.js";
import { modelTarget, modelProvider } from "../src/targets/model-target.js";
import { readRecipe } from "../src/targets/recipe.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";
import { type AgentBehavior, rightAgent } from "../src/protocols/acp/reference/agent-behavior.js";
import { carrier } from "../src/protocols/kaiak/envelope.js";
import { referenceServer } from "../src/protocols/kaiak/reference/server.js";
import { rightServer } from "../src/protocols/kaiak/reference/server-behavior.js";
import { serveHttp } from "../src/protocols/acp/reference/http.js";
import { permissionResult } from "../src/protocols/acp/answers.js";
import type { HttpExtras } from "../src/wire/http.js";
import { bin } from "./programs.js";

const agent = { protocol: acp, role: "agent", seed: 1 } as const;

describe("answers to permission requests", () => {
  const options = [
    { optionId: "proceed_always", name: "Always", kind: "allow_always" },
    { optionId: "proceed_once", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_always" },
  ];

  test.each([
    ["allow_once", { outcome: "selected", optionId: "proceed_once" }],
    ["reject_once", { outcome: "selected", optionId: "no" }],
    ["cancelled", { outcome: "cancelled" }],
  ] as const)("%s is one of the options that were offered", (answer, outcome) => {
    expect(permissionResult({ options }, answer)).toEqual({ outcome });
  });

  test.each([{}, { options: [] }, { options: "none" }])("without an option it is cancelled: %o", (params) => {
    expect(permissionResult(params, "allow_once")).toEqual({ outcome: { outcome: "cancelled" } });
  });

  test("options without ids end a case, and not the run", async () => {
    const report = await runConformance({
      ...agent,
      target: memoryTarget(
        referenceAgent({
          outgoing: (message) =>
            message["method"] === "session/request_permission"
              ? [JSON.parse(JSON.stringify(message).replaceAll('"optionId"', '"id"')) as unknown]
              : [message],
        }),
      ),
      behaviors: "commands",
      filter: ["acp.agent.permission.once"],
    });
    expect(report.outcome).toBe("violated");
  });

  test("an agent with option ids of its own is not accused", async () => {
    const ids: Record<string, string> = { allow_once: "proceed", reject_once: "stop" };
    const rename = (message: Record<string, unknown>): readonly unknown[] => {
      const params = message["params"] as { options?: { kind: string }[] } | undefined;
      if (params?.options === undefined) return [message];
      const options = params.options.map((option) => ({ ...option, optionId: ids[option.kind] }));
      return [{ ...message, params: { ...params, options } }];
    };
    const report = await runConformance({
      ...agent,
      target: memoryTarget(
        referenceAgent({ outgoing: rename, allows: (outcome) => outcome?.["optionId"] === "proceed" }),
      ),
      behaviors: "commands",
      filter: ["acp.agent.permission.*", "acp.agent.turn.second-prompt"],
    });
    const failing = report.cases
      .flatMap(({ checks }) => checks)
      .filter(({ verdict, source }) => verdict === "fail" && source === "case");
    expect(failing).toEqual([]);
  });
});

test("a model that was never asked is said as such, and accuses nobody", async () => {
  const recipe = readRecipe("any");
  const report = await runConformance({
    ...agent,
    target: modelTarget(recipe, { argv: [...bin, "reference", "acp", "--role", "agent"] }),
    behaviors: modelProvider(recipe),
    filter: ["acp.agent.permission.allowed", "acp.agent.turn.text"],
    timeScale: 0.2,
  });
  const allowed = report.cases.find(({ id }) => id === "acp.agent.permission.allowed");
  expect(allowed?.verdict).toBe("blocked");
  expect(allowed?.checks.find(({ source }) => source === "case")?.message).toMatch(/model was never asked/);
});

test("an agent that asked its model in an earlier case is judged by what it does without it", () => {
  const { unreached } = modelProvider(readRecipe("any"));
  const suite = {
    seq: 0,
    at: 0,
    from: "suite",
    kind: "message",
    message: { id: 1, method: "session/prompt" },
  } as const;
  const asked = { seq: 1, at: 1, from: "model", kind: "event", name: "asked", data: { tools: [] } } as const;
  expect(unreached?.("text", [suite])).toMatch(/model was never asked/);
  expect(unreached?.("text", [suite, asked])).toBeUndefined();
  expect(unreached?.("text", [suite])).toBeUndefined();
});

test("an HTTP stream whose headers come when its case has begun, as on a busy machine, is not accused", async () => {
  const { url, close } = await serveHttp(referenceAgent());
  const unopened = httpTarget({ url, paths: acp.http!, stream: false });
  const report = await runConformance({
    ...agent,
    target: {
      ...unopened,
      async open(options) {
        const link = await unopened.open(options);
        void (link.extras as HttpExtras).openStream();
        return link;
      },
    },
    filter: ["acp.agent.http.stream"],
    basis: ["interop"],
  });
  await close();
  expect(report.cases.flatMap(({ checks }) => checks.map(({ verdict }) => verdict))).not.toContain("warn");
  expect(report.cases.find(({ id }) => id === "acp.agent.http.stream")?.verdict).toBe("pass");
});

test("a server of ECA gets a folder of its own to work in", async () => {
  const sent: string[] = [];
  await runConformance({
    protocol: eca,
    role: "server",
    target: memoryTarget((pipe) =>
      pipe.listen({ data: (chunk) => sent.push(chunk.toString()), end: () => pipe.end() }),
    ),
    startMs: 200,
    filter: ["eca.server.life.initialize"],
  }).catch(() => {});
  expect(sent.join("")).toMatch(/"uri":"file:\/\/[^"]+\/editwire-conformance-[^"]+"/);
});

test.each([
  ["max-tokens", { result: { stopReason: "end_turn" } }, true],
  ["refuse", { error: { code: -32603, message: "the model refused" } }, true],
  ["max-tokens", { result: { stopReason: "refusal" } }, false],
  ["max-turn-requests", { method: "session/update" }, true],
  ["text", { result: { stopReason: "max_tokens" } }, false],
] as const)("an agent need not end its turn as its model ends an answer (%s, %o)", (behavior, answer, isExcused) => {
  const { unreached } = modelProvider(readRecipe("any"));
  const found = unreached?.(behavior, [
    { seq: 0, at: 0, from: "suite", kind: "message", message: { id: 1, method: "session/prompt" } },
    { seq: 1, at: 1, from: "model", kind: "event", name: "asked", data: { tools: ["read"] } },
    { seq: 2, at: 2, from: "target", kind: "message", message: { id: 1, ...answer } },
  ]);
  expect(found).toBe(
    isExcused ? `the target does not end its turn when its model does so by "${behavior}"` : undefined,
  );
});

test("an agent with a model that asks for no permission is not accused of what it should do with the answer", () => {
  const { unreached } = modelProvider(readRecipe("any"));
  const prompt = { id: 1, method: "session/prompt" };
  const asked = { seq: 1, at: 1, from: "model", kind: "event", name: "asked", data: { tools: ["run"] } } as const;
  const ask = { id: 1, method: "session/request_permission" };
  const suite = { seq: 0, at: 0, from: "suite", kind: "message", message: prompt } as const;
  const target = { seq: 2, at: 2, from: "target", kind: "message", message: ask } as const;
  expect(unreached?.("ask-permission", [suite, asked])).toBe("the target asked for no permission");
  expect(unreached?.("ask-permission", [suite, asked, target])).toBeUndefined();
});

describe("what the suite itself sent wrong", () => {
  test("a Kaiak server may send back", async () => {
    const kept: Record<string, unknown> = {};
    const sendsBack = {
      paramsProblem: () => undefined,
      read: (params: Record<string, unknown>) => params,
      // It keeps the configuration, and reports it on every connection.
      applied(configuration: Record<string, unknown>) {
        Object.assign(kept, configuration);
        return rightServer.applied(kept);
      },
    };
    const report = await runConformance({
      protocol: kaiak,
      role: "server",
      seed: 1,
      target: memoryTarget(referenceServer(sendsBack)),
      behaviors: "commands",
      filter: ["kaiak.server.malformed.kaiak-configure.*", "kaiak.server.framing.*"],
    });
    const found = report.cases.flatMap(({ checks }) => checks).filter(({ verdict }) => verdict !== "pass");
    // It is only accused of having taken it, which no sentence forbids.
    expect(new Set(found.map(({ req, basis, verdict }) => `${req} ${basis} ${verdict}`))).toEqual(
      new Set(["KAIAK-RPC-013 inferred fail"]),
    );
    expect(report.outcome).toBe("passed");
  });

  test("is not what another value of the target is measured by", () => {
    const say = (from: string, message: object): string => JSON.stringify({ from, message });
    const configure = (id: number, max_tokens: unknown): object => {
      const configuration = { workspace: { working_dir: "/" }, model: { max_tokens } };
      return {
        jsonrpc: "2.0",
        id,
        method: carrier,
        params: { command: "kaiak/configure", arguments: [{ configuration }] },
      };
    };
    const applied = (id: number, model: object): object => {
      const configuration_applied = { ...kaiakDefaults, model };
      const result = { status: "success", configuration_applied, timestamp: "2025-12-24T00:00:00Z" };
      return { jsonrpc: "2.0", id, result };
    };
    const judged = (...lines: string[]): string[] =>
      checkTrace(kaiak, "server", lines.join("\n")).checks.flatMap(({ verdict, req }) =>
        verdict === "fail" ? [req] : [],
      );
    const sent = say("client", configure(1, "many"));
    expect(judged(sent, say("server", applied(1, { max_tokens: "many" })))).toEqual([]);
    const schema = "KAIAK-SCHEMA-kaiak/configure:result";
    expect(judged(sent, say("server", applied(1, { max_tokens: "few" })))).toEqual([schema]);
    expect(judged(sent, say("server", applied(1, { temperature: "many" })))).toEqual([schema]);
    expect(judged(say("client", configure(1, 7)), say("server", applied(1, { max_tokens: "many" })))).toEqual([schema]);
  });
});

describe("batches, which JSON-RPC 2.0 has", () => {
  const batch = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
    { jsonrpc: "2.0", id: 2, method: "authenticate", params: { methodId: "none" } },
  ];
  const answers = batch.map(({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "not now" } }));
  const judged = (...messages: readonly (readonly [from: string, message: unknown])[]): string[] =>
    checkTrace(
      acp,
      "agent",
      messages.map(([from, message]) => JSON.stringify({ from, message })).join("\n"),
      "spec",
    ).checks.flatMap(({ verdict, req }) => (verdict === "fail" ? [req] : []));

  test("may be answered by batches", () => {
    expect(judged(["client", batch], ["agent", answers])).toEqual([]);
    expect(judged(["client", batch], ["agent", answers], ["agent", answers])).toEqual(["ACP-RPC-001"]);
    expect(judged(["agent", answers])).toEqual(["ACP-RPC-001"]);
  });

  test("are not sent to an agent that has none, except for an empty one", async () => {
    const sent: unknown[] = [];
    const report = await runConformance({
      ...agent,
      target: memoryTarget(
        referenceAgent({
          notRpc(message) {
            sent.push(message);
            return rightAgent.notRpc(message);
          },
        }),
      ),
      behaviors: "commands",
      filter: ["acp.agent.rpc.*"],
    });
    expect(report.outcome).toBe("passed");
    expect(sent.filter((message) => Array.isArray(message))).toEqual([[]]);
  });
});

test("an agent without modes need not have a method for them", async () => {
  const named = "session/set_mode";
  const withoutModes = referenceAgent({
    newSessionResult: ({ id }) => ({ sessionId: id }),
    loadSessionResult: () => ({}),
    incoming: (chunk) =>
      Buffer.from(Buffer.from(chunk).toString("latin1").replaceAll(named, "session/no_modes"), "latin1"),
  });
  for (const profile of ["spec", "v1"]) {
    const report = await runConformance({
      ...agent,
      profile,
      target: memoryTarget(withoutModes),
      behaviors: "commands",
      filter: ["acp.agent.*set-mode*", "acp.agent.mode.*", "acp.agent.*unknown-session*"],
    });
    expect(report.cases.length).toBeGreaterThan(15);
    const accused = report.cases.filter(({ verdict }) => ["fail", "warn", "blocked"].includes(verdict));
    expect(accused.map(({ id }) => id)).toEqual([]);
  }
});

describe("modes", () => {
  /** An agent whose sessions begin in the mode that was set last, and that does not report a mode which it has. */
  function remembering(): Partial<AgentBehavior> {
    let last = "full";
    let isChange = true;
    const current = new Map<unknown, unknown>();
    return {
      newSessionResult(session) {
        session.modeId = last;
        current.set(session.id, last);
        return { sessionId: session.id, modes: rightAgent.modes(last) };
      },
      setModeProblem(params) {
        const problem = rightAgent.setModeProblem(params);
        if (problem !== undefined) return problem;
        last = String(params["modeId"]);
        isChange = current.get(params["sessionId"]) !== last;
        current.set(params["sessionId"], last);
        return undefined;
      },
      modeUpdates: (modeId) => (isChange ? rightAgent.modeUpdates(modeId) : []),
    };
  }

  test("of a session do not depend on what cases before have set", async () => {
    const filters = ["set", "during-turn", "loaded", "*"].map((name) => `acp.agent.mode.${name}`);
    for (const filter of filters) {
      const report = await runConformance({
        ...agent,
        target: memoryTarget((pipe, framing) => referenceAgent(remembering())(pipe, framing)),
        behaviors: "commands",
        filter: [filter],
        jobs: 1,
      });
      const accused = report.cases.filter(({ verdict }) => ["fail", "warn", "blocked"].includes(verdict));
      expect(accused.map(({ id }) => `${filter}: ${id}`)).toEqual([]);
    }
  });
});
