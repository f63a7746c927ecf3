import { type AcpAgent, RemoteError } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { afterEach, expect, it } from "vitest";
import { createAgent, fromAcp, toAcp } from "../src/index.js";
import { scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

async function open(agent: AcpAgent) {
  const { client } = await acpPair(agent);
  cleanups.push(() => client.close());
  return client;
}

/** An agent that opens no session before the user has signed in. */
function lockedAgent() {
  let isSignedIn = false;
  return createAgent({
    ...scripted,
    authMethods: [
      { id: "account", name: "Account" },
      { id: "shell", name: "Shell", type: "terminal", args: ["login"] },
    ],
    authenticate(methodId) {
      if (methodId !== "account") throw RemoteError.invalidParams("unknown method");
      isSignedIn = true;
    },
    newSession() {
      if (!isSignedIn) throw new RemoteError(-32_000, "Authentication required");
    },
  });
}

it("signs in to an agent over ACP", async () => {
  const client = await open(toAcp(lockedAgent()));
  expect(client.info.authMethods).toMatchObject([{ id: "account" }]); // this client has no terminal
  await expect(client.newSession({ cwd: "/p" })).rejects.toMatchObject({ code: -32_000 });
  await client.authenticate("account");
  const session = await client.newSession({ cwd: "/p" });
  await expect(session.prompt("say").stopReason).resolves.toBe("end_turn");
});

it("signs in through a gateway, and reports the ways that it does not carry", async () => {
  const far = toAcp(lockedAgent());
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
  await expect(client.newSession({ cwd: "/p" })).rejects.toMatchObject({ message: "Authentication required" });
  await client.authenticate("account");
  const session = await client.newSession({ cwd: "/p" });
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
