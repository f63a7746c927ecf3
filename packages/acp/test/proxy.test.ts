// A proxy of ACP, on the typed rows of `@editwire/acp-schema/unstable`, between a conductor and an agent on the
// official SDK. The proxy adds a line to every prompt, and another to every answer.
import { agent as officialAgent, client as officialClient, methods } from "@agentclientprotocol/sdk/unstable";
import { acpUnstable, acpUnstableProfile } from "@editwire/acp-schema/unstable";
import { connect, type Handlers } from "@editwire/core";
import { jsonRpcPeer } from "@editwire/peer";
import { expect, it, onTestFinished } from "vitest";
import { officialPair } from "./official-pair.js";

type Envelope = { method: string; params?: unknown };
const envelope = { parse: (params: unknown): Envelope => params as Envelope };
const cwd = "/w";
const text = (said: string) => [{ type: "text" as const, text: said }];

/** The agent at the end of the chain. It says what it was asked, after a permission. */
function successor() {
  return officialAgent({ name: "end" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentInfo: { name: "end", version: "1" } }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId: "t", title: "Run" },
        options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
      });
      const said = prompt.map((block) => (block.type === "text" ? block.text : "")).join("|");
      await client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: text(`${outcome.outcome}: ${said}`)[0] as never },
      });
      return { stopReason: "end_turn" };
    });
}

/** Our proxy: each message goes on inside of an envelope, and what comes back in one goes to the conductor. */
function serveProxy(transport: ReturnType<typeof officialPair>["ours"]) {
  const forward = (method: string, params: unknown): Promise<unknown> =>
    connection.request("proxy/successor", { method, params });
  const handlers: Partial<Handlers<typeof acpUnstable, "agent">> = {
    "proxy/initialize": async (params) => (await forward("initialize", params)) as never,
    "session/new": async (params) => (await forward("session/new", params)) as never,
    "session/prompt": async ({ prompt, ...params }) =>
      (await forward("session/prompt", { ...params, prompt: [...prompt, ...text("be brief")] })) as never,
    "proxy/successor": ({ method, params }) => connection.request(method as never, params as never),
    "proxy/successor:notification": ({ method, params }) => connection.notify(method as never, params as never),
  };
  const connection = connect(acpUnstable, "agent", jsonRpcPeer(transport), handlers as never, {
    profile: acpUnstableProfile,
  });
  onTestFinished(() => connection.close());
}

it("our proxy passes a whole turn with a permission, between the official SDK's conductor and agent", async () => {
  const proxied = officialPair();
  serveProxy(proxied.ours);
  const updates: unknown[] = [];
  const passed: string[] = [];
  const toAgent = (method: string, params: unknown): Promise<unknown> =>
    end.agent.request(method as never, params as never);
  const conductor = officialClient({ name: "conductor" })
    .onRequest("proxy/successor", envelope, ({ params: { method, params } }) => {
      passed.push(method);
      return toAgent(method, params);
    })
    .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => ({
      outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
    }))
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update));
  const { agent: proxy } = conductor.connect(proxied.official);
  const end = officialClient({ name: "conductor, to the agent" })
    .onRequest(methods.client.session.requestPermission, ({ params }) =>
      proxy.request("proxy/successor" as never, { method: methods.client.session.requestPermission, params } as never),
    )
    .onNotification(methods.client.session.update, ({ params }) =>
      proxy.notify("proxy/successor" as never, { method: methods.client.session.update, params } as never),
    )
    .connect(successor());
  onTestFinished(() => end.close());
  const info = await proxy.request("proxy/initialize" as never, { protocolVersion: 1 } as never);
  expect(info).toMatchObject({ protocolVersion: 1, agentInfo: { name: "end" } });
  const { sessionId } = await proxy.request(methods.agent.session.new, { cwd, mcpServers: [] });
  expect(await proxy.request(methods.agent.session.prompt, { sessionId, prompt: text("Hello") })).toEqual({
    stopReason: "end_turn",
  });
  await expect
    .poll(() => updates)
    .toEqual([{ sessionUpdate: "agent_message_chunk", content: text("selected: Hello|be brief")[0] }]);
  expect(passed).toEqual(["initialize", "session/new", "session/prompt"]);
});
