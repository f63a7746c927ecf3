import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CaseResult, defineCase, runConformance, type RunReport } from "../../src/index.js";
import { UsageError } from "../../src/core/errors.js";
import { modelTarget, modelProvider } from "../../src/targets/model-target.js";
import { findProtocol } from "../../src/protocols/all.js";
import { readRecipe } from "../../src/targets/recipe.js";
import { openScratch, type Scratch } from "../../src/model/scratch.js";
import type { AgentContext } from "../../src/protocols/acp/agent-role.js";

/** The result of a turn: its updates, the end of its prompt, and the requests to the client. */
interface Seen {
  updates: Record<string, unknown>[];
  end: unknown;
  asked: unknown[];
}

const seen = new Map<string, Seen>();
const args: Record<string, Record<string, unknown>> = {
  text: { text: "hello" },
  "tool-ok": { text: "from a file" },
  long: { size: 5_000 },
  slow: { ms: 1 },
};
const names = [
  "text",
  "chunks",
  "slow",
  "tool-ok",
  "tool-fail",
  "ask-permission",
  "plan",
  "long",
  "refuse",
  "max-tokens",
  "max-turn-requests",
  "error",
  "write-file",
];
const acp = findProtocol("acp");

/** Prompts for a behavior, allows everything, and keeps what came. */
const behaviorCase = (name: string) =>
  defineCase<AgentContext>(
    { id: `acp.agent.test.${name}`, role: "agent", title: name, emits: ["ACP-CANCEL-002"], deadline: 15_000 },
    async (t) => {
      const asked: unknown[] = [];
      t.answer("session/request_permission", (params) => {
        const { toolCall, options } = params as { toolCall: unknown; options: { optionId: string; kind: string }[] };
        asked.push(toolCall);
        return {
          result: {
            outcome: { outcome: "selected", optionId: options.find(({ kind }) => kind === "allow_once")?.optionId },
          },
        };
      });
      const turn = t.prompt(await t.session(), t.say(name, args[name]));
      const response = await turn.response();
      seen.set(name, {
        updates: turn.updates().map(({ params }) => params["update"] as Record<string, unknown>),
        end: response,
        asked,
      });
      t.pass("ACP-CANCEL-002");
    },
  );

let report: RunReport;
beforeAll(async () => {
  const recipe = readRecipe("coding-agent");
  const cancel = acp.cases.filter(
    ({ id }) => id === "acp.agent.model.cancel" || id === "acp.agent.cancel.permission-open",
  );
  report = await runConformance({
    protocol: { ...acp, cases: [...names.map(behaviorCase), ...cancel] },
    role: "agent",
    target: modelTarget(recipe),
    behaviors: modelProvider(recipe),
    timeScale: 3,
    basis: ["inferred"],
    seed: 1,
  });
});

const kinds = (name: string) =>
  seen
    .get(name)
    ?.updates.map(({ sessionUpdate }) => sessionUpdate)
    .filter((kind) => kind !== "user_message_chunk");
const textOf = (name: string) =>
  seen
    .get(name)
    ?.updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => (content as { text: string }).text);
const resultOf = (id: string): CaseResult | undefined => report.cases.find((one) => one.id === id);

describe("an agent with the scripted model behind it", () => {
  test("passes, and its questions stand in the trace", () => {
    expect(report).toMatchObject({ outcome: "conformant", exitCode: 0 });
    const { trace = [] } = resultOf("acp.agent.model.cancel") ?? {};
    const lane = trace.filter(({ from }) => from === "model").map((entry) => entry.kind === "event" && entry.name);
    expect(lane).toEqual(["asked", "aborted"]);
  });

  test("stops asking the model when it is cancelled", () => {
    expect(resultOf("acp.agent.model.cancel")?.checks.find(({ req }) => req === "ACP-MODEL-001")?.verdict).toBe("pass");
    expect(resultOf("acp.agent.cancel.permission-open")?.verdict).toBe("pass");
  });

  test.each([
    ["text", ["hello"]],
    ["chunks", ["1 ", "2 ", "3 ", "4 ", "5 "]],
    ["slow", ["working"]],
    ["long", ["x".repeat(5_000)]],
  ])("says what %s asks for, piece by piece", (name, pieces) => expect(textOf(name)).toEqual(pieces));

  test.each([
    ["tool-ok", "completed", "from a file"],
    ["tool-fail", "failed", ""],
    ["write-file", "completed", ""],
    ["ask-permission", "completed", ""],
  ])("runs the tool of %s, which is %s", (name, status, output) => {
    const calls =
      seen.get(name)?.updates.filter(({ sessionUpdate }) => String(sessionUpdate).startsWith("tool_call")) ?? [];
    expect(calls.at(-1)).toMatchObject({ status });
    expect(JSON.stringify(calls.at(-1))).toContain(output);
    expect(textOf(name)).toEqual(["done"]);
  });

  test("asks for permission where a behavior says so, and only there", () => {
    expect(names.filter((name) => (seen.get(name)?.asked.length ?? 0) > 0)).toEqual(["ask-permission", "write-file"]);
  });

  test("plans twice", () => expect(kinds("plan")?.filter((kind) => kind === "plan").length).toBe(2));

  test.each([
    ["text", { result: { stopReason: "end_turn" } }],
    ["refuse", { result: { stopReason: "refusal" } }],
    ["max-tokens", { result: { stopReason: "max_tokens" } }],
    ["max-turn-requests", { result: { stopReason: "max_turn_requests" } }],
    ["error", { error: { message: expect.stringContaining("as it was told") } }],
  ])("ends %s as it should", (name, end) => expect(seen.get(name)?.end).toMatchObject(end));
});

describe("a recipe", () => {
  let scratch: Scratch;
  beforeAll(() => void (scratch = openScratch()));
  afterAll(() => scratch.remove());

  const fileOf = (content: unknown): string => {
    const file = join(scratch.folder, "recipe.json");
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };

  test.each(["any", "openai", "anthropic", "gemini", "ollama"])("%s has no command of its own", (name) => {
    expect(() => modelTarget(readRecipe(name))).toThrow(UsageError);
    expect(modelTarget(readRecipe(name), { argv: ["agent"] }).description).toBe("agent");
  });

  test.each([
    ["no-such-recipe", /one of anthropic, any, coding-agent/],
    ["{", /JSON/],
    [{ comand: ["x"] }, /comand/],
    [{ behaviors: ["fly"] }, /behaviors/],
  ])("%j is refused", (content, message) => {
    const name = content === "no-such-recipe" ? content : fileOf(content);
    expect(() => readRecipe(name)).toThrow(message);
  });

  test("fills in addresses, files and a home of the launch", async () => {
    const program = `
      const { readFileSync } = require("node:fs");
      const settings = JSON.parse(readFileSync(process.env.HOME + "/.agent/settings.json", "utf8"));
      fetch(settings.url + "/api/version").then((response) => response.json()).then(({ version }) => {
        console.error(JSON.stringify([settings.model, typeof version, process.env.HTTPS_PROXY, process.argv[1]]));
        process.exit(7);
      });`;
    const files = { ".agent/settings.json": { url: "{ollama}", model: "{model}" } };
    const recipe = readRecipe(
      fileOf({
        command: [process.execPath, "-e", program, "{home}"],
        env: { HOME: "{home}" },
        files,
        behaviors: ["text"],
      }),
    );
    const { error, exitCode } = await runConformance({
      protocol: acp,
      role: "agent",
      target: modelTarget(recipe),
      behaviors: modelProvider(recipe),
    });
    expect(exitCode).toBe(4);
    expect(error).toMatch(/\["scripted","string","http:\/\/127\.0\.0\.1:9","\/.*conformance-/);
  });
});
