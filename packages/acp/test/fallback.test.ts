// Messages that ACP does not have, from the official SDK to this package and back: as its `onRequest("*", …)`.
import { agent as officialAgent, client as officialClient, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import type { Fallback } from "@editwire/core";
import { expect, it, onTestFinished } from "vitest";
import { connectAcp, RemoteError, serveAcp } from "../src/index.js";
import { acpPair } from "../src/testing.js";
import { officialPair } from "./official-pair.js";

/** Takes `_acme/…` and nothing else. */
function recorder(): { readonly calls: unknown[]; readonly fallback: Fallback } {
  const calls: unknown[] = [];
  return {
    calls,
    fallback: {
      request(method, params) {
        if (!method.startsWith("_acme/")) throw RemoteError.methodNotFound(method);
        calls.push([method, params]);
        return { echo: params };
      },
      notification: (method, params) => void calls.push([method, params]),
    },
  };
}

it("an agent's fallback takes what the official SDK's client sends besides ACP", async () => {
  const { official, ours } = officialPair();
  const { calls, fallback } = recorder();
  const diagnostics: string[] = [];
  serveAcp(
    ours,
    { prompt: async () => {} },
    { fallback, onDiagnostic: ({ id, method }) => void diagnostics.push(`${id} ${method}`) },
  );
  const connection = officialClient({ name: "official" }).connect(official);
  onTestFinished(() => connection.close());
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  await agent.notify("_acme/seen", { id: 1 });
  expect(await agent.request("_acme/search", { query: "tea" })).toEqual({ echo: { query: "tea" } });
  await expect(agent.request("other/search", {})).rejects.toMatchObject({ code: -32601 });
  await expect(agent.request(methods.agent.session.list, {})).rejects.toMatchObject({ code: -32601 });
  expect(calls).toEqual([
    ["_acme/seen", { id: 1 }],
    ["_acme/search", { query: "tea" }],
  ]);
  expect(diagnostics.filter((one) => one.includes("_acme"))).toEqual([]);
});

it("a client's fallback takes what the official SDK's agent sends besides ACP", async () => {
  const { official, ours } = officialPair();
  const { calls, fallback } = recorder();
  const answers: unknown[] = [];
  officialAgent({ name: "official" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      await client.notify("_acme/progress", { percent: 50 });
      answers.push(await client.request("_acme/pick", { of: ["a"] }));
      return { stopReason: "end_turn" };
    })
    .connect(official);
  const client = await connectAcp(ours, { fallback });
  const session = await client.newSession({ cwd: "/" });
  await session.prompt("go").stopReason;
  expect(answers).toEqual([{ echo: { of: ["a"] } }]);
  expect(calls).toEqual([
    ["_acme/progress", { percent: 50 }],
    ["_acme/pick", { of: ["a"] }],
  ]);
  await client.close();
});

it("a fallback must be an object", async () => {
  const wrong = acpPair({ prompt: async () => {} }, { client: { fallback: "all" as never } });
  await expect(wrong).rejects.toThrow("connectAcp: expected fallback to be an object, received");
});
