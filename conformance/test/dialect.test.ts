import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findDialect } from "../src/core/run/find-dialect.js";
import { acp, eca, memoryTarget, stdioTarget } from "../src/index.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";
import { rightAgent } from "../src/protocols/acp/reference/agent-behavior.js";
import { referenceClient } from "../src/protocols/acp/reference/client.js";
import { rightClient } from "../src/protocols/acp/reference/client-behavior.js";
import { v1Agent } from "../src/protocols/acp/reference/v1.js";
import { lineReader } from "../src/protocols/acp/mutants/readers.js";
import { encodeFrame } from "../src/wire/framing.js";

const agent = (...patch: Parameters<typeof referenceAgent>) =>
  findDialect({ protocol: acp, role: "agent", target: memoryTarget(referenceAgent(...patch)) });
const client = (...patch: Parameters<typeof referenceClient>) =>
  findDialect({ protocol: acp, role: "client", target: memoryTarget(referenceClient(...patch)) });
const noSign = { profile: "v1", reason: "no sign of the specification's own dialect" };

/** Answers the header of `initialize`; its second process takes three seconds to start. */
const slowAgent = (folder: string): string => `
  const started = ${JSON.stringify(join(folder, "started"))};
  const again = require("node:fs").existsSync(started);
  require("node:fs").writeFileSync(started, "");
  const result = { protocolVersion: 1, agentCapabilities: {} };
  const answer = (text) => {
    const { id } = JSON.parse(text.slice(text.indexOf("{")));
    const body = JSON.stringify({ jsonrpc: "2.0", id, result });
    process.stdout.write((text[0] === "{" ? "" : "Content-Length: " + body.length + "\\r\\n\\r\\n") + body + "\\n");
  };
  setTimeout(() => process.stdin.once("data", (chunk) => answer(String(chunk))), again ? 3_000 : 0);`;

describe("an agent", () => {
  test("speaks the specification's own dialect if it answers a header with a header", async () => {
    expect(await agent()).toEqual({ profile: "spec", reason: "it answers a Content-Length with one" });
  });

  test("speaks the official one if it has methods for sessions that only that has", async () => {
    const found = await agent(v1Agent);
    expect(found?.profile).toBe("v1");
    expect(found?.reason).toContain("session/list");
  });

  test("speaks the official one if nothing tells: a header is not a message to it", async () => {
    expect(await agent({ reader: lineReader })).toEqual(noSign);
  });

  test("that answers a header on a line gives no sign", async () => {
    expect(await agent({ encode: (message) => encodeFrame(message, "line") })).toEqual(noSign);
  });

  test("is not taken for one that reads no headers because it starts slowly", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dialect-"));
    const target = stdioTarget({ argv: [process.execPath, "-e", slowAgent(folder)] });
    expect((await findDialect({ protocol: acp, role: "agent", target }))?.profile).toBe("spec");
    rmSync(folder, { recursive: true });
  });

  test("that refuses to begin is not judged by a guess", async () => {
    const refuses = { initializeProblem: () => ({ code: -32603, message: "no" }) };
    expect(await agent({ ...refuses, initializeResult: rightAgent.initializeResult })).toBeUndefined();
  });

  test("that cannot be started is left to the run", async () => {
    const target = stdioTarget({ argv: ["/no/such/agent"] });
    expect(await findDialect({ protocol: acp, role: "agent", target })).toBeUndefined();
  });
});

describe("a client", () => {
  test("speaks the official dialect if nothing tells", async () => {
    expect(await client()).toEqual(noSign);
  });

  test("speaks it if it has capabilities that only that has", async () => {
    const initializeParams = () => ({
      ...(rightClient.initializeParams() as object),
      clientCapabilities: { fs: { readTextFile: true } },
    });
    expect((await client({ initializeParams }))?.reason).toContain("capabilities");
  });

  test("speaks the specification's own if it writes headers", async () => {
    const found = await client({ encode: (message) => encodeFrame(message, "header") });
    expect(found).toEqual({ profile: "spec", reason: "its first message has a Content-Length" });
  });
});

test("the dialect of a remote transport is known without a question", async () => {
  const target = { transport: "ws", description: "", open: () => Promise.reject(new Error("it was opened")) };
  expect((await findDialect({ protocol: acp, role: "agent", target }))?.profile).toBe("v1");
});

test("a protocol of which only one dialect is in use is not asked", async () => {
  const target = { transport: "stdio", description: "", open: () => Promise.reject(new Error("it was opened")) };
  expect(await findDialect({ protocol: eca, role: "server", target })).toBeUndefined();
});
