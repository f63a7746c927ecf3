import { describe, expect, test } from "vitest";
import {
  acp,
  eca,
  httpTarget,
  memoryTarget,
  modelProvider,
  modelTarget,
  readRecipe,
  runConformance,
} from "../src/index.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";
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
