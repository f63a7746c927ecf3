// The smallest agent, server and client of every dialect: they advertise nothing that their author did not give.
import { setImmediate as tick } from "node:timers/promises";
import { acpProfiles, connectAcp, serveAcp } from "@editwire/acp";
import { connectEca, ecaProfiles, serveEca } from "@editwire/eca";
import { createHelixZedAgent, createHelixZedHost, helixZedProfiles } from "@editwire/helix-zed";
import { connectKaiak, kaiakProfiles, serveKaiak } from "@editwire/kaiak";
import { createSmanBackend, createSmanPlugin, smanProfiles } from "@editwire/sman";
import { memoryPair, type Transport } from "@editwire/transport";
import { expect, it, onTestFinished } from "vitest";

interface Side {
  readonly open: (near: Transport, profile: never) => unknown;
  /** The messages of the other side. */
  readonly receives?: readonly object[];
  /** All that this side sends, without the frame of a message. */
  readonly sends: readonly object[];
}

const prompt = async (): Promise<void> => {};
const request = (id: number, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });
const quiet = { onError() {} };
const text = expect.any(String) as unknown;
const time = expect.any(Number) as unknown;
const site = { sessionId: "s", projectKey: "p" };

const undeclared = { loadSession: false, promptCapabilities: { audio: false, image: false, embeddedContext: false } };

const acpAgent: Side = {
  open: (near, profile) => serveAcp(near, { prompt }, { profile }),
  receives: [
    request(1, "initialize", { protocolVersion: 1 }),
    request(2, "session/new", { cwd: "/", mcpServers: [] }),
    request(3, "session/prompt", { sessionId: "?", prompt: [] }),
  ],
  sends: [
    { id: 1, result: { protocolVersion: 1, agentCapabilities: undeclared, authMethods: [] } },
    { id: 2, result: { sessionId: text } },
    { id: 3, error: expect.anything() },
  ],
};

const acpClient: Side = {
  open: (near, profile) => connectAcp(near, { profile, ...quiet }),
  sends: [{ id: 1, method: "initialize", params: { protocolVersion: 1 } }],
};

const ecaServer: Side = {
  open: (near, profile) => serveEca(near, { prompt }, { profile }),
  receives: [
    request(1, "initialize", { processId: null, capabilities: {}, workspaceFolders: [] }),
    { jsonrpc: "2.0", method: "initialized", params: {} },
  ],
  sends: [
    {
      id: 1,
      result: { models: [], chatDefaultModel: "", chatBehaviors: [], chatDefaultBehavior: "", chatWelcomeMessage: "" },
    },
    {
      method: "config/updated",
      params: { chat: { models: [], agents: [], behaviors: [], variants: [], welcomeMessage: "" } },
    },
    { method: "$/progress", params: { type: "start", taskId: "start", title: "Starting" } },
    { method: "$/progress", params: { type: "finish", taskId: "start", title: "Starting" } },
  ],
};

/** `rewrite` is a method of every client. */
const codeAssistant = { chat: true, rewrite: true };
const ecaClient: Side = {
  open: (near, profile) => connectEca(near, { profile, ...quiet }),
  sends: [
    { id: 1, method: "initialize", params: { processId: null, workspaceFolders: [], capabilities: { codeAssistant } } },
  ],
};

const requests = ["configure", "generate_fix", "delete_session", "interaction/respond", "client/user_message"];
const commands = [...requests, "fix/cancel"].map((name) => `kaiak/${name}`);
const kaiakServer: Side = {
  open: (near, profile) => serveKaiak(near, { prompt: prompt }, { profile }),
  receives: [request(1, "initialize", { capabilities: {} }), { jsonrpc: "2.0", method: "initialized", params: {} }],
  sends: [{ id: 1, result: { capabilities: { executeCommandProvider: { commands } } } }],
};

const kaiakClient: Side = {
  open: (near, profile) => connectKaiak(near, { profile, lspHandshake: true, ...quiet }),
  sends: [{ id: 1, method: "initialize", params: { processId: null } }],
};

const helixZedAgent = (sends: readonly object[]): Side => ({
  open: (near, profile) =>
    closing(createHelixZedAgent({ prompt }, { sessionId: "s", dial: async () => near, profile, ...quiet })),
  sends,
});
const ready = { session_id: "s", event_type: "agent_ready", data: { agent_name: "editwire", thread_id: null } };

const helixZedHost: Side = {
  open: (near, profile) => closing(createHelixZedHost({ profile, ...quiet })).attach(near, "s"),
  sends: [],
};

const smanPlugin: Side = {
  open: (near, profile) =>
    closing(createSmanPlugin({ tools: {} }, { projectKey: "p", dial: async () => near, profile, ...quiet })),
  sends: [],
};

const smanBackend = (sends: readonly object[]): Side => ({
  open: (near, profile) => closing(createSmanBackend({ profile, ...quiet })).attach(near, site),
  sends,
});
const data = { message: text, ...site, mode: "agent", serverTime: time, protocolVersion: "2.0" };
const connected = { type: "CONNECTED", timestamp: time, data };

const sides: [name: string, side: Side, profile: object][] = [
  ...Object.values(acpProfiles).map((profile) => named("ACP agent", acpAgent, profile)),
  ...Object.values(acpProfiles).map((profile) => named("ACP client", acpClient, profile)),
  ...Object.values(ecaProfiles).map((profile) => named("ECA server", ecaServer, profile)),
  ...Object.values(ecaProfiles).map((profile) => named("ECA client", ecaClient, profile)),
  ...Object.values(kaiakProfiles).map((profile) => named("Kaiak server", kaiakServer, profile)),
  ...Object.values(kaiakProfiles).map((profile) => named("Kaiak client", kaiakClient, profile)),
  named("Helix-Zed agent", helixZedAgent([]), helixZedProfiles.spec),
  named("Helix-Zed agent", helixZedAgent([ready]), helixZedProfiles.v2026),
  ...Object.values(helixZedProfiles).map((profile) => named("Helix-Zed host", helixZedHost, profile)),
  ...Object.values(smanProfiles).map((profile) => named("sman plugin", smanPlugin, profile)),
  named("sman backend", smanBackend([]), smanProfiles.spec),
  named("sman backend", smanBackend([connected]), smanProfiles.v2),
];

function named(side: string, by: Side, profile: { readonly name: string }): [string, Side, object] {
  return [`${side} of ${profile.name}`, by, profile];
}

it.each(sides)("the smallest %s says no more than it must", async (_name, { open, receives = [], sends }, profile) => {
  const [near, far] = memoryPair();
  const sent: object[] = [];
  far.start({
    message: (value) => {
      const { jsonrpc: _frame, ...message } = value as { jsonrpc?: string };
      sent.push(message);
    },
    malformed() {},
    closed() {},
  });
  onTestFinished(() => far.close());
  void Promise.resolve(open(near, profile as never)).catch(() => {}); // a client waits for its answer
  for (const message of receives) {
    await far.send(JSON.stringify(message));
    for (let turns = 0; turns < 20; turns += 1) await tick(); // whatever it has to say, in memory
  }
  for (let turns = 0; turns < 20; turns += 1) await tick();
  expect(sent).toEqual(sends);
});

function closing<T extends { close(): Promise<unknown> }>(opened: T): T {
  onTestFinished(async () => void (await opened.close()));
  return opened;
}
