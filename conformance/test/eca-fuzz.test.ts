import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { readRepro, writeRepro } from "../src/fuzz/repro.js";
import { checkTrace, memoryTarget } from "../src/index.js";
import { findProtocol } from "../src/protocols/all.js";
import { type FuzzMode, replaySteps, runFuzz } from "../src/fuzz/run-fuzz.js";
import { referenceClient } from "../src/protocols/eca/reference/client.js";
import { type ClientBehavior, rightClient } from "../src/protocols/eca/reference/client-behavior.js";
import { referenceServer } from "../src/protocols/eca/reference/server.js";
import { rightServer, type ServerBehavior } from "../src/protocols/eca/reference/server-behavior.js";
import { conf } from "./conf.js";

const protocol = findProtocol("eca");
const quick = { protocol, behaviors: "commands", timeScale: 0.2, shrinkRuns: 40 } as const;
const server = (patch: Partial<ServerBehavior>) => ({
  ...quick,
  role: "server",
  target: memoryTarget(referenceServer(patch)),
});
const client = (patch: Partial<ClientBehavior>) => ({
  ...quick,
  role: "client",
  target: memoryTarget((pipe, framing) => referenceClient(patch)(pipe, framing)),
});
const tries = (target: ReturnType<typeof server>, modes: readonly FuzzMode[], runs: number, seed = 7) =>
  runFuzz({ ...target, modes, runs, seed });

/** Reads prompts unseen, and forgets a text of another chat for each that it cannot read. */
function forgetful(): Partial<ServerBehavior> {
  let forgets = false;
  return {
    paramsProblem(method, params) {
      const problem = rightServer.paramsProblem(method, params);
      if (problem !== undefined) forgets = true;
      return problem;
    },
    contents: (role, content) => (forgets && content["text"] === "8 " ? [] : [{ role, content }]),
  };
}

describe("the fuzzer of ECA servers", () => {
  test("finds nothing in the reference, whatever is tried", async () => {
    expect(await tries(server({}), ["messages", "life"], 15)).toMatchObject({
      outcome: "passed",
      runs: { messages: 15, life: 15 },
      failures: [],
    });
  });

  test("finds a message that a server dies of, keeps no more of it than needed, and plays it again", async () => {
    const dies: Partial<ServerBehavior> = { unknownCall: () => "die" };
    const { failures, outcome } = await tries(server(dies), ["messages"], 100);
    expect(outcome).toBe("violated");
    const [failure] = failures;
    if (failure === undefined) throw new Error("expected a failure");
    expect(failure.steps).toHaveLength(1);
    const folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
    try {
      const file = join(folder, "failure.ndjson");
      writeFileSync(
        file,
        writeRepro(failure, {
          protocol: "eca",
          role: "server",
          behaviors: "commands",
          framing: "header",
          seed: 7,
          command: ["server"],
        }),
      );
      const { steps } = readRepro(file);
      expect((await replaySteps(server(dies), steps))?.problem).toContain("closed its output");
      expect(await replaySteps(server({}), steps)).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("finds what one chat's trouble does to another, and the same for the same seed", async () => {
    // Shrinking goes as far as there is time for.
    const found = async () =>
      (await runFuzz({ ...server(forgetful()), modes: ["messages"], runs: 100, seed: 7, shrinkMs: 0 })).failures;
    const [failure] = await found();
    expect(failure?.problem).toContain("another chat was harmed");
    expect((await found()).map(({ id }) => id)).toEqual([failure?.id]);
  });

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const twice: Partial<ServerBehavior> = {
      finished: (how) =>
        how === "stopped" ? [...rightServer.finished(how), ...rightServer.finished(how)] : rightServer.finished(how),
    };
    const { failures } = await tries(server(twice), ["life"], 100);
    expect(failures[0]?.problem).toContain("ECA-TURN-001");
    expect(failures[0]?.steps.map((step) => step.do)).toContain("prompt");
  });
});

describe("the fuzzer of ECA clients", () => {
  test("finds nothing in the reference, whatever is tried", async () => {
    expect(await tries(client({}), ["messages", "life"], 15)).toMatchObject({
      outcome: "passed",
      runs: { messages: 15, life: 15 },
      failures: [],
    });
  });

  test("finds a message that a client dies of, and keeps no more of it than needed", async () => {
    const dies: Partial<ClientBehavior> = {
      onContent: ({ content }) => (isObject(content) && typeof content["type"] === "string" ? "survive" : "die"),
    };
    const { failures } = await tries(client(dies), ["messages"], 100);
    expect(failures[0]?.steps).toMatchObject([{ do: "message", message: { method: "chat/contentReceived" } }]);
  });

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const twice: Partial<ClientBehavior> = {
      decision: (...args) => [...rightClient.decision(...args), ...rightClient.decision(...args)],
    };
    const { failures } = await tries(client(twice), ["life"], 200);
    expect(failures[0]?.problem).toContain("ECA-TOOL-020");
    expect(failures[0]?.steps.map((step) => step.do)).toEqual(expect.arrayContaining(["policy", "prompt", "tool"]));
    expect(failures[0]?.steps.length).toBeLessThan(6);
  });
});

test("the command line speaks the protocol's framing, keeps a failure and plays it again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "conformance-test-"));
  const refuses = `let text = "";
    process.stdin.on("data", (chunk) => {
      text += chunk;
      for (let found; (found = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(text)) !== null; ) {
        const { id, method } = JSON.parse(text.slice(found[0].length, found[0].length + Number(found[1])));
        text = text.slice(found[0].length + Number(found[1]));
        const answer = method === "initialize" ? { result: {} } : { error: { code: -32601, message: "no" } };
        const body = JSON.stringify({ jsonrpc: "2.0", id, ...answer });
        if (id !== undefined) process.stdout.write("Content-Length: " + body.length + "\\r\\n\\r\\n" + body);
      }
    });`;
  try {
    const command = ["--", process.execPath, "-e", refuses];
    const found = await conf(
      "fuzz",
      "eca",
      "--role",
      "server",
      "--runs",
      "1",
      "--mode",
      "life",
      "--seed",
      "7",
      "--shrink",
      "0",
      "--out",
      folder,
      ...command,
    );
    expect(found).toMatchObject({ status: 1, stdout: expect.stringContaining("was refused") });
    const [name = ""] = readdirSync(folder);
    expect(await conf("replay", join(folder, name))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("was refused"),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("the monitor of tool calls, as the fuzzer found it wanting", () => {
  const notification = (method: string, params: object) => ({ jsonrpc: "2.0", method, params });
  const content = (chatId: string, one: object) => ({
    from: "target",
    message: notification("chat/contentReceived", {
      chatId,
      role: "assistant",
      content: { origin: "native", id: "t", name: "n", ...one },
    }),
  });
  const said = (message: object) => ({ from: "suite", message: { jsonrpc: "2.0", ...message } });
  const ready = said(notification("initialized", {}));
  const prompt = said({ id: 1, method: "chat/prompt", params: { chatId: "a", requestId: "1", message: "" } });
  const prepared = content("a", { type: "toolCallPrepare", argumentsText: "{}", manualApproval: true });
  const runs = content("a", { type: "toolCallRun", arguments: {}, manualApproval: true });
  const rejected = content("a", { type: "toolCallRejected", arguments: {}, reason: "user" });
  const stop = said(notification("chat/promptStop", { chatId: "a" }));
  const failing = (...entries: readonly object[]) =>
    checkTrace(protocol, "server", entries.map((entry) => JSON.stringify(entry)).join("\n"))
      .checks.filter(({ verdict }) => verdict === "fail")
      .map(({ req }) => req);

  test("a stop may be under way when a call begins", () => {
    expect(failing(ready, prompt, prepared, stop, runs, rejected)).toEqual([]);
    expect(failing(ready, prompt, prepared, runs, rejected)).toEqual(["ECA-TOOL-003"]);
  });

  test("a chat that is deleted takes no other's calls along", () => {
    expect(
      failing(
        ready,
        prompt,
        prepared,
        runs,
        said({ id: 2, method: "chat/delete", params: { chatId: "b" } }),
        stop,
        rejected,
      ),
    ).toEqual([]);
  });
});
