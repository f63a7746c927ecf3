import type { AcpAgent } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { afterEach, describe, expect, it } from "vitest";
import { ecaProfiles } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { helixZedProfiles } from "@editwire/helix-zed";
import { RemoteError } from "@editwire/core";
import { helixZedPair } from "@editwire/helix-zed/testing";
import { kaiakPair } from "@editwire/kaiak/testing";
import { type Agent, createAgent, fromAcp, toAcp, toEca, toHelixZed, toKaiak } from "../src/index.js";
import { locked, scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

async function open(agent: AcpAgent) {
  const { client } = await acpPair(agent);
  cleanups.push(() => client.close());
  return client;
}

it("signs in to an agent over ACP", async () => {
  const client = await open(toAcp(createAgent(locked())));
  expect(client.info.authMethods).toMatchObject([{ id: "account" }]); // this client has no terminal
  await expect(client.newSession({ cwd: "/p" })).rejects.toMatchObject({ code: -32_000 });
  await client.authenticate("account");
  const session = await client.newSession({ cwd: "/p" });
  await expect(session.prompt("say").stopReason).resolves.toBe("end_turn");
});

it("signs in through a gateway, and reports the ways that it does not carry", async () => {
  const far = toAcp(createAgent(locked()));
  const reported: string[] = [];
  const clientCapabilities = { auth: { terminal: true } };
  const gateway = fromAcp(
    async (handlers) => (await acpPair(far, { client: { ...handlers, clientCapabilities } })).client,
    { onDiagnostic: ({ message }) => reported.push(message) },
  );
  cleanups.push(() => gateway.close());
  const client = await open(toAcp(gateway));
  expect(client.info.authMethods).toMatchObject([{ id: "account" }]);
  expect(reported).toContainEqual(expect.stringContaining('the way to sign in of the type "terminal"'));
  await expect(client.newSession({ cwd: "/p" })).rejects.toMatchObject({ message: "authentication required" });
  await client.authenticate("account");
  const session = await client.newSession({ cwd: "/p" });
  await expect(session.prompt("say").stopReason).resolves.toBe("end_turn");
});

it("passes on to an editor of ACP that a prompt needs the user to sign in", async () => {
  const { gateway } = gatewayToLocked("prompt");
  const client = await open(toAcp(gateway));
  const session = await client.newSession({ cwd: "/p" });
  await expect(session.prompt("say").stopReason).rejects.toMatchObject({
    code: -32_000,
    message: "authentication required",
  });
  await client.authenticate("account");
  await expect(session.prompt("say").stopReason).resolves.toBe("end_turn");
});

it("takes any way to sign in, as the far agent does, when that has none", async () => {
  const gateway = fromAcp(
    async (handlers) => (await acpPair(toAcp(createAgent(scripted)), { client: handlers })).client,
  );
  cleanups.push(() => gateway.close());
  const client = await open(toAcp(gateway));
  await expect(client.authenticate("any")).resolves.toEqual({});
});

/** When the agent asks for it. */
type Refused = Parameters<typeof locked>[0];

/** A gateway to an agent over ACP, whose user has not signed in. */
function gatewayToLocked(refused: Refused): { gateway: Agent; reported: string[] } {
  const reported: string[] = [];
  const far = toAcp(createAgent(locked(refused)));
  const gateway = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client, {
    onDiagnostic: ({ message }) => reported.push(message),
  });
  cleanups.push(() => gateway.close());
  return { gateway, reported };
}

describe.each([
  ["spec", "newSession"],
  ["v2026", "newSession"],
  ["spec", "prompt"],
  ["v2026", "prompt"],
] as const)("an editor of ECA, in the dialect %s, at a gateway to ACP that refuses %s", (name, refused) => {
  const profile = ecaProfiles[name];
  async function openEca(permission: "allow_once" | "reject_once") {
    const { gateway, reported } = gatewayToLocked(refused);
    const workspaceFolders = [{ name: "p", uri: "file:///p" }];
    const client = { profile, workspaceFolders, permission: async () => permission };
    const pair = await ecaPair(toEca(gateway), { client, server: { profile } });
    cleanups.push(() => pair.client.close());
    return { eca: pair.client, reported };
  }

  it("signs in by approving a tool call, and knows the agent's modes then", async () => {
    const { eca, reported } = await openEca("allow_once");
    const session = eca.newSession();
    if (refused === "newSession") expect(eca.agents.offered).toEqual([]);
    await expect(session.prompt("say").stopReason).resolves.toBe("end_turn");
    expect(session.state.entries).toMatchObject([
      { role: "user" },
      { toolCall: { name: "sign_in", title: "Sign in: Account", status: "completed" } },
      { text: "Looking around." },
    ]);
    expect(eca.agents.offered).toEqual(["build", "plan"]);
    expect(reported).toContainEqual(expect.stringContaining("eca: sign_in is approximated"));
  });

  it("sees how signing in ends, and not before", async () => {
    let refuse = (_error: Error): void => {};
    const authenticate = () => new Promise<never>((_resolve, reject) => (refuse = reject));
    const agent = createAgent({ ...locked(refused), authenticate, onError: () => {} });
    const pair = await ecaPair(toEca(agent), {
      client: { profile, workspaceFolders: [{ name: "p", uri: "file:///p" }], permission: async () => "allow_once" },
      server: { profile, onError: () => {} },
    });
    cleanups.push(() => pair.client.close());
    const session = pair.client.newSession();
    const { stopReason } = session.prompt("say");
    const statuses = () =>
      session.state.entries.flatMap((entry) => (entry.type === "tool_call" ? [entry.toolCall.status] : []));
    await expect.poll(statuses).toEqual(["in_progress"]);
    refuse(new Error("secret"));
    await stopReason;
    expect(statuses()).toEqual(["failed"]);
    expect(JSON.stringify(session.state.entries)).not.toContain("secret");
  });

  it("receives how to sign in, when the user does not", async () => {
    const { eca } = await openEca("reject_once");
    const session = eca.newSession();
    await session.prompt("say").stopReason;
    expect(JSON.stringify(session.state.entries)).toContain("authentication required: sign in by Account");
  });
});

it.each(["newSession", "prompt"] as const)("signs in by a choice in a client of Kaiak at %s", async (refused) => {
  const { gateway, reported } = gatewayToLocked(refused);
  const configuration = { workspace: { working_dir: "/p" } };
  const { client } = await kaiakPair(toKaiak(gateway), {
    client: { question: async ({ options }) => options[0] },
    server: { configuration },
  });
  cleanups.push(() => client.close());
  const turn = client.newSession().prompt([{ id: "1", rule_id: "r", message: "say" }]);
  const texts: string[] = [];
  for await (const event of turn) if (event.type === "text") texts.push(event.text);
  expect(texts.join("")).toBe("Looking around.");
  expect(reported).toContainEqual(expect.stringContaining("kaiak: sign_in is approximated"));
});

it.each(["newSession", "prompt"] as const)("tells a host of Helix-Zed how to sign in at %s", async (refused) => {
  const { gateway, reported } = gatewayToLocked(refused);
  const profile = helixZedProfiles.v2026;
  const agent = { profile, onError: () => {} };
  const pair = helixZedPair(toHelixZed(gateway, { cwd: "/p" }), { host: { profile }, agent });
  cleanups.push(() => pair.close());
  const session = await pair.host.session("ses_1");
  const { error } = await session.prompt("say").interaction;
  expect(error).toContain("authentication required: sign in by Account");
  expect(reported).toContainEqual(expect.stringContaining("helix-zed: sign_in is not said"));
});

it.each([
  ["newSession", { newSession: signedOut }],
  ["prompt", { prompt: signedOut }],
] as const)("tells an editor of ECA where to sign in, at an agent without ways that refuses %s", async (_name, far) => {
  const gateway = fromAcp(
    async (handlers) => (await acpPair({ prompt: async () => {}, ...far }, { client: handlers })).client,
  );
  cleanups.push(() => gateway.close());
  const client = { workspaceFolders: [{ name: "p", uri: "file:///p" }] };
  const pair = await ecaPair(toEca(gateway), { client });
  cleanups.push(() => pair.client.close());
  const session = pair.client.newSession();
  await session.prompt("say").stopReason;
  expect(JSON.stringify(session.state.entries)).toContain("Signed out: sign in with the agent's own program");
});

async function signedOut(): Promise<never> {
  throw new RemoteError(-32_000, "Signed out");
}
