import { isObject } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { memoryTarget } from "../src/index.js";
import { findProtocol } from "../src/protocols/all.js";
import { type FuzzMode, runFuzz } from "../src/fuzz/run-fuzz.js";
import { referenceClient } from "../src/protocols/kaiak/reference/client.js";
import { type ClientBehavior, rightClient } from "../src/protocols/kaiak/reference/client-behavior.js";
import { referenceServer } from "../src/protocols/kaiak/reference/server.js";
import type { ServerBehavior } from "../src/protocols/kaiak/reference/server-behavior.js";

const protocol = findProtocol("kaiak");
const quick = { protocol, behaviors: "commands", timeScale: 0.2, shrinkRuns: 20, seed: 7 } as const;
const server = (patch: Partial<ServerBehavior>, modes: readonly FuzzMode[], runs: number) =>
  runFuzz({ ...quick, role: "server", target: memoryTarget(referenceServer(patch)), modes, runs });
const client = (patch: Partial<ClientBehavior>, modes: readonly FuzzMode[], runs: number) =>
  runFuzz({ ...quick, role: "client", target: memoryTarget(referenceClient(patch)), modes, runs });

describe("the fuzzer of Kaiak servers", () => {
  test("finds nothing in the reference, whatever is tried", async () => {
    expect(await server({}, ["messages", "life"], 10)).toMatchObject({ outcome: "passed", failures: [] });
  });

  test("finds a message that a server does not answer, and keeps no more of it than needed", async () => {
    const { failures } = await server(
      { carrierProblem: () => undefined, unknownCommand: () => undefined },
      ["messages"],
      60,
    );
    expect(failures[0]?.steps).toMatchObject([{ do: "message", message: { method: "workspace/executeCommand" } }]);
  });

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const { failures } = await server({ inUse: () => undefined }, ["life"], 60);
    expect(failures[0]?.steps.map((step) => step.do)).toEqual(["run", "second"]);
  });
});

describe("the fuzzer of Kaiak clients", () => {
  test("finds nothing in the reference, whatever is tried", async () => {
    expect(await client({}, ["messages", "life"], 10)).toMatchObject({ outcome: "passed", failures: [] });
  });

  test("finds a message that a client dies of", async () => {
    const dies: Partial<ClientBehavior> = { onNote: (_kind, { content }) => (isObject(content) ? "survive" : "die") };
    const { failures } = await client(dies, ["messages"], 60);
    expect(failures[0]?.steps).toMatchObject([{ do: "message" }]);
  });

  test("finds an order of legal steps that goes wrong, and makes it small", async () => {
    const twice: Partial<ClientBehavior> = {
      answer: (id, word) => [...rightClient.answer(id, word), ...rightClient.answer(id, word)],
    };
    const { failures } = await client(twice, ["life"], 100);
    expect(failures[0]?.problem).toContain("KAIAK-ASK-021");
    expect(failures[0]?.steps.map((step) => step.do)).toEqual(expect.arrayContaining(["answer", "run", "question"]));
  });
});
