import { isObject } from "@editwire/core";
import { expect, test } from "vitest";
import { acp, memoryTarget, runConformance } from "../src/index.js";
import { readerOf } from "../src/packs/taking.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";

test("an agent that answers no malformed prompt is given the time of a turn only once", async () => {
  const isMalformed = ({ method, params }: Record<string, unknown>): boolean =>
    method === "session/prompt" && !(isObject(params) && Array.isArray(params["prompt"]));
  const reader = readerOf((message) => (isMalformed(message) ? "overlook" : "take"));
  const { cases, notes } = await runConformance({
    protocol: acp,
    role: "agent",
    profile: "spec",
    target: memoryTarget(referenceAgent({ reader })),
    filter: ["acp.agent.malformed.session-prompt.prompt-*"],
    jobs: 1,
    timeScale: 0.1,
  });
  const misses = cases.flatMap(({ checks }) => checks).filter(({ verdict }) => verdict === "fail");
  const allowed = misses.map(({ message = "" }) => Number(/allowed: (\d+)/.exec(message)?.[1]));
  expect(allowed.length).toBeGreaterThan(3);
  expect(allowed[0]).toBe(3_000);
  expect(Math.max(...allowed.slice(1))).toBeLessThan(3_000);
  expect(notes).toContain("the target does not answer every malformed session/prompt");
});

test("an agent that answers no prompt is waited for less after three cases", async () => {
  const reader = readerOf(({ method }) => (method === "session/prompt" ? "overlook" : "take"));
  const { cases, notes } = await runConformance({
    protocol: acp,
    role: "agent",
    profile: "spec",
    behaviors: "commands",
    target: memoryTarget(referenceAgent({ reader })),
    filter: ["acp.agent.turn.*"],
    jobs: 1,
    timeScale: 0.1,
  });
  const misses = cases.flatMap(({ reason = "" }) => (reason.includes("unanswered: session/prompt") ? [reason] : []));
  const allowed = misses.map((reason) => Number(/allowed: (\d+)/.exec(reason)?.[1]));
  // Three waits for the answer, and three for what a turn sends before it. The others are five times as short.
  const full = allowed.filter((ms) => ms >= 500);
  expect(full.length).toBeLessThanOrEqual(6);
  expect(allowed.length - full.length).toBeGreaterThan(3);
  expect(notes).toContain(
    "the answer to session/prompt never arrived; after 3 waits in vain, the suite waits less for it",
  );
});
