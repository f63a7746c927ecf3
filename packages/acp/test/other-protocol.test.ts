import { memoryPair } from "@editwire/transport";
import { expect, it } from "vitest";
import { connectAcp } from "../src/index.js";
import { spawnAcp } from "../src/node.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** How `connectAcp` fails with a peer that gives this answer to `initialize`. */
async function answered(answer: object): Promise<unknown> {
  const [left, right] = memoryPair();
  const failed = failure(connectAcp(left));
  const server = new RawPeer(right);
  const { id } = await server.take("initialize");
  server.send({ jsonrpc: "2.0", id, ...answer });
  return failed;
}

const named = {
  code: "invalid_result",
  message: "initialize: the peer speaks ECA; use spawnEca or connectEca of @editwire/eca",
};

it("says that a server of ECA answered, by what it answered", async () => {
  expect(await answered({ result: { models: ["m"], chatWelcomeMessage: "Hello" } })).toMatchObject(named);
});

it("says that a server of ECA answered, by the params that it misses", async () => {
  const message = "initialize: params.workspaceFolders: expected array, received undefined";
  expect(await answered({ error: { code: -32602, message } })).toMatchObject({ ...named, cause: { message } });
});

it("passes on any other error", async () => {
  expect(await answered({ error: { code: -32601, message: "Method not found" } })).toMatchObject({ code: -32601 });
  expect(await answered({ result: { protocolVersion: 7 } })).toMatchObject({
    code: "invalid_result",
    message: "initialize: the agent speaks protocol version 7, this client speaks 1",
  });
  expect(await answered({ result: {} })).toMatchObject({ message: expect.stringContaining("result.protocolVersion") });
});

it("names ECA for a command that does not answer, since its servers read no lines", async () => {
  const argv = [process.execPath, "--eval", "process.stdin.resume()"];
  expect(await failure(spawnAcp(argv, { timeoutMs: 300 }))).toMatchObject({
    code: "timeout",
    message: expect.stringContaining("; if it speaks ECA, use spawnEca or connectEca of @editwire/eca"),
  });
});
