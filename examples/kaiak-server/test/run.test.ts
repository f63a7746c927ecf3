import { ErrorCode, RemoteError } from "@editwire/core";
import type { Model } from "@editwire/example-coding-agent";
import { kaiakPair } from "@editwire/kaiak/testing";
import { expect, it } from "vitest";
import { createFixServer } from "../src/server.js";
import { fix, only } from "./support/fix.js";
import { converter, copyProject, fingerprint, incidentAt } from "./support/project.js";

/** A session with a server whose model does what the test says. */
async function startWith(reply: Model["reply"], configuration: object = {}) {
  const project = await copyProject();
  const { client } = await kaiakPair(createFixServer({ model: { reply }, modelName: "test" }));
  await client.configure({ workspace: { working_dir: project.folder }, ...configuration });
  return client.newSession();
}

const approve = (): string => "approve";
const both = [incidentAt(converter), incidentAt(fingerprint)];

it.each([false, true])(
  "a model that fails ends the run, and its error is the last one (parallel: %s)",
  async (parallel) => {
    const session = await startWith(async () => {
      throw new RemoteError(ErrorCode.InternalError, "The model endpoint is away");
    });
    const run = await fix(session, both, approve, { parallel_processing: parallel });
    expect(run.status).toBe("failed");
    expect(only(run, "error")).toEqual([
      {
        type: "error",
        error: { error_code: "MODEL_FAILED", message: "The model endpoint is away", recoverable: false },
      },
    ]);
  },
);

it.each([
  ["refused", "REFUSAL"],
  ["length", "MAX_TOKENS"],
] as const)("an answer that ends as %s is reported, and the other files go on", async (end, code) => {
  const session = await startWith(async () => ({ text: "no", calls: [], end }));
  const run = await fix(session, both, approve);
  expect(run.status).toBe("completed");
  expect(only(run, "error").map(({ error }) => [error.error_code, error.details])).toEqual([
    [code, converter],
    [code, fingerprint],
  ]);
});

it("the model and the client learn of calls that cannot work, and the model alone of unknown tools", async () => {
  const told: unknown[] = [];
  const calls = [
    { id: "1", name: "read_file", arguments: '{"path":"../x"}' },
    { id: "2", name: "read_file", arguments: "no JSON" },
    { id: "3", name: "no_such_tool", arguments: "{}" },
  ];
  const session = await startWith(async ({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "tool") return { text: "", calls, end: "done" };
    told.push(...messages.slice(-3).map(({ content }) => content));
    return { text: "done", calls: [], end: "done" };
  });
  const run = await fix(session, [incidentAt(converter)], approve);
  expect(told).toEqual([
    "Error: ../x is outside of the workspace",
    expect.stringContaining("The arguments are not JSON"),
    "Error: There is no tool no_such_tool.",
  ]);
  expect(only(run, "error")).toMatchObject([
    { error: { error_code: "TOOL_EXECUTION_FAILED", message: "../x is outside of the workspace", recoverable: true } },
  ]);
  expect(only(run, "tool_call").at(-1)?.toolCall).toMatchObject({ name: "read_file", status: "failed" });
});

it("a session remembers what was said in its earlier runs", async () => {
  const prompts: number[] = [];
  const session = await startWith(async ({ messages }) => {
    prompts.push(messages.filter(({ role }) => role === "user").length);
    return { text: "ok", calls: [], end: "done" };
  });
  await fix(session, both, approve);
  await fix(session, both, approve, { parallel_processing: true });
  await fix(session, [incidentAt(converter)], approve);
  expect(prompts).toEqual([1, 2, 3, 3, 5]);
});

it("session.max_turns bounds the answers of the model, and planning_mode offers it a plan", async () => {
  const offered = new Set<string>();
  let answers = 0;
  const plan = { entries: [{ content: "Look around", status: "in_progress" }] };
  const session = await startWith(
    async ({ tools }) => {
      answers++;
      for (const { name } of tools) offered.add(name);
      const call = { id: `${answers}`, name: "update_plan", arguments: JSON.stringify(plan) };
      return { text: "", calls: [call], end: "done" };
    },
    { session: { max_turns: 2 }, tools: { planning_mode: true } },
  );
  const run = await fix(session, [incidentAt(converter)], approve);
  expect(answers).toBe(2);
  expect(offered).toContain("update_plan");
  expect(only(run, "progress").map(({ progress }) => progress)).toContainEqual(
    expect.objectContaining({ phase: "planning", description: "Look around" }),
  );
  expect(only(run, "error")).toMatchObject([{ error: { error_code: "MAX_TURN_REQUESTS" } }]);
});
