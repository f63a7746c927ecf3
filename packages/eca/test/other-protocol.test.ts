import { type EcaProfile, ecaProfiles } from "@editwire/eca-schema";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { connectEca } from "../src/index.js";
import { spawnEca } from "../src/node.js";
import { RawServer } from "./client-peer.js";

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** How `connectEca` fails with a peer that gives this answer to `initialize`, and what it sent. */
async function answered(answer: object, profile?: EcaProfile): Promise<{ error: unknown; log: string[] }> {
  const [left, right] = memoryPair();
  const failed = failure(connectEca(left, { profile }));
  const server = new RawServer(right);
  const { id } = await server.take("initialize");
  server.send({ id, ...answer });
  return { error: await failed, log: server.log };
}

const named = {
  code: "invalid_result",
  message: "initialize: the peer speaks ACP; use spawnAcp or connectAcp of @editwire/acp",
};

describe("a peer that speaks ACP", () => {
  it.each([undefined, ecaProfiles.spec, ecaProfiles.v2026])("is named by its answer", async (profile) => {
    const { error, log } = await answered({ result: { protocolVersion: 1, agentCapabilities: {} } }, profile);
    expect(error).toMatchObject(named);
    expect(log).toEqual(["initialize"]);
  });

  it("is named by the params that it misses", async () => {
    const message = "initialize: params.protocolVersion: expected an integer";
    const { error } = await answered({ error: { code: -32602, message } });
    expect(error).toMatchObject({ ...named, cause: { message } });
  });

  it("is named as soon as it shows that it reads no headers", async () => {
    const agent = `process.stdin.once("data", () =>
      console.log(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } })))`;
    expect(await failure(spawnEca([process.execPath, "--eval", agent]))).toMatchObject({
      code: "invalid_result",
      message: "initialize: node cannot read it; if it speaks ACP, use spawnAcp or connectAcp of @editwire/acp",
    });
  });

  it("is named when it does not answer, since its agents may read lines only", async () => {
    const argv = [process.execPath, "--eval", "process.stdin.resume()"];
    expect(await failure(spawnEca(argv, { timeoutMs: 300 }))).toMatchObject({
      code: "timeout",
      message: expect.stringContaining(
        '; it may need "server" to speak ECA; if it speaks ACP, use spawnAcp or connectAcp of @editwire/acp',
      ),
    });
  });
});

it("recognizes a command that sends back what it receives", async () => {
  expect(await failure(spawnEca(["cat"]))).toMatchObject({
    code: "invalid_result",
    message: "initialize: cat sends back what it receives; a terminal in between does so, too, as with ssh -t",
  });
});

it("passes on any other error", async () => {
  expect((await answered({ error: { code: -32601, message: "Method not found" } })).error).toMatchObject({
    code: -32601,
    message: "Method not found",
  });
});

it("reports what a command writes instead of ECA at once", async () => {
  const errors: unknown[] = [];
  const argv = [process.execPath, "--eval", 'console.log("Starting the server")'];
  const failed = await failure(spawnEca(argv, { onError: (error) => errors.push(error) }));
  expect(failed).toMatchObject({ code: "closed", message: expect.stringContaining('"Starting the server"') });
  const message =
    'node: what it wrote is not ECA: "Starting the server"; expected JSON-RPC messages with Content-Length headers';
  expect(errors).toEqual([expect.objectContaining({ code: "not_connected", message })]);
});
