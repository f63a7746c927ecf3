// Facts that a gateway does not carry, in either direction, are reported once: parts of a prompt, and messages of the
// far agent.
import { acpPair } from "@editwire/acp/testing";
import type { AcpAgent, ContentBlock } from "@editwire/acp";
import { type ChatContent, ecaProfiles, type EcaServer } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { helixZedPair } from "@editwire/helix-zed/testing";
import type { KaiakServer } from "@editwire/kaiak";
import { kaiakPair } from "@editwire/kaiak/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, fromAcp, fromEca, fromHelixZed, fromKaiak, type GatewayOptions } from "../src/index.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

type Open = (options: GatewayOptions) => Agent;

/** A gateway's reports about a prompt. */
async function reported(open: Open, prompt: string | readonly ContentBlock[] = "go", times = 1): Promise<string[]> {
  const reports: string[] = [];
  const agent = open({ onDiagnostic: ({ id, message }) => void reports.push(`${id}: ${message}`), onError: () => {} });
  cleanups.push(() => agent.close());
  const session = await agent.newSession({ cwd: "/p" });
  for (let time = 0; time < times; time++) expect(await session.prompt(prompt)).toEqual({ stopReason: "end_turn" });
  return reports;
}

const eca =
  (server: EcaServer): Open =>
  (options) => {
    const profile = ecaProfiles.v2026;
    return fromEca(
      async (handlers) => (await ecaPair(server, { client: { ...handlers, profile }, server: { profile } })).client,
      options,
    );
  };
const kaiakServer =
  (prompt: KaiakServer["prompt"]): Open =>
  (options) =>
    fromKaiak(async (handlers) => (await kaiakPair({ prompt }, { client: handlers })).client, options);
const kaiak = kaiakServer(async () => {});
const helixZed: Open = (options) => {
  const pair = helixZedPair({ prompt: async () => {} }, { agent: { onError: () => {} } });
  cleanups.push(() => pair.close());
  return fromHelixZed(pair.host, { agent: "ses_1", ...options });
};

/** A gateway's reports about the past of a session. */
async function loaded(open: Open): Promise<string[]> {
  const reports: string[] = [];
  const agent = open({ onDiagnostic: ({ id, message }) => void reports.push(`${id}: ${message}`), onError: () => {} });
  cleanups.push(() => agent.close());
  await agent.loadSession("s", { cwd: "/p" });
  return reports;
}

const words: ContentBlock = { type: "text", text: "go" };
const link: ContentBlock = { type: "resource_link", uri: "file:///p/a.ts", name: "a.ts" };
const text: ContentBlock = { type: "resource", resource: { uri: "file:///p/b.ts", text: "b" } };
const blob: ContentBlock = { type: "resource", resource: { uri: "file:///p/b.bin", blob: "aGk=" } };
const image: ContentBlock = { type: "image", data: "aGk=", mimeType: "image/png" };
const audio: ContentBlock = { type: "audio", data: "aGk=", mimeType: "audio/wav" };

const ofPrompt = (protocol: string, what: string): string =>
  `agent.not-carried: ${protocol}: ${what} of a prompt is not carried`;
const ofAgent = (protocol: string, what: string): string =>
  `agent.not-carried: ${protocol}: ${what} of the far agent is not carried`;

describe("a prompt through a gateway", () => {
  const silent: EcaServer = { prompt: async () => {} };
  const opens = { eca: eca(silent), kaiak, "helix-zed": helixZed };
  const blocks = { link, text, blob, image, audio };
  const carried = { eca: ["link", "text", "image"], kaiak: ["link", "text"], "helix-zed": ["link", "text"] };
  const protocols = Object.keys(opens) as (keyof typeof opens)[];
  const names = Object.keys(blocks) as (keyof typeof blocks)[];

  it.each(protocols.flatMap((protocol) => names.map((name) => [protocol, name] as const)))(
    "to %s: %s",
    async (protocol, name) => {
      const isCarried = carried[protocol].includes(name);
      const expected = isCarried ? [] : [ofPrompt(protocol, blocks[name].type)];
      const reports = await reported(opens[protocol], [words, blocks[name]], 2);
      expect(reports.filter((report) => report.includes("of a prompt"))).toEqual(expected);
    },
  );
});

describe("what a far agent says", () => {
  const hook = { type: "hookActionStarted", id: "h", name: "lint", actionType: "shell" } as const;

  it.each<[string, EcaServer["prompt"], string]>([
    ["a hook", (turn) => turn.content(hook), "hookActionStarted"],
    ["a flag", (turn) => turn.content({ type: "flag", text: "here", contentId: "c" }), "flag"],
    ["content that is not known", (turn) => turn.content({ type: "smell", of: "tea" } as never), "smell"],
    [
      "how full a context of unknown size is",
      (turn) => turn.usage({ inputTokens: 2, outputTokens: 1, contextTokens: 7 }),
      "sessionTokens",
    ],
    [
      "details of a call",
      async (turn) => {
        const call = await turn.toolCall({ name: "t", arguments: {}, details: { type: "jsonOutputs", jsons: ["{}"] } });
        await call.complete("ok");
      },
      "details of the type jsonOutputs",
    ],
  ])("over ECA: %s", async (_, prompt, what) => {
    const working = ofAgent("eca", "progress"); // which servers report in each turn
    expect(await reported(eca({ prompt }), "go", 2)).toEqual([working, ofAgent("eca", what)]);
  });

  it("over ECA: what a loaded session had", async () => {
    const call = { origin: "native", server: "eca", name: "t", id: "c" } as const;
    const details = { type: "jsonOutputs" as const, jsons: ["{}"] };
    const contents: readonly ChatContent[] = [
      hook,
      { ...call, type: "toolCallPrepare", argumentsText: "{}", manualApproval: false },
      { ...call, type: "toolCalled", arguments: {}, error: false, outputs: [], details },
    ];
    const loadSession = () => ({ contents: contents.map((content) => ({ role: "assistant" as const, content })) });
    expect(await loaded(eca({ loadSession, prompt: () => {} }))).toEqual([
      ofAgent("eca", "hookActionStarted"),
      ofAgent("eca", "details of the type jsonOutputs"),
    ]);
  });

  it("over ACP: what a loaded session had", async () => {
    const update = { sessionUpdate: "smell", of: "tea" } as never;
    const far: AcpAgent = { loadSession: () => ({ history: [update] }), prompt: async () => {} };
    const open: Open = (options) =>
      fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client, options);
    expect(await loaded(open)).toEqual([ofAgent("acp", "unknown")]);
  });

  it.each<[string, KaiakServer["prompt"], string]>([
    [
      "a message for debugging",
      async (turn) => turn.system({ message: "m", level: "debug", component: "c" }),
      "a system message of the level debug",
    ],
    [
      "what to do about an error",
      async (turn) => turn.error({ error_code: "E", message: "m", recoverable: true, suggested_action: "wait" }),
      "suggested_action",
    ],
    [
      "the details of an error that is recoverable",
      async (turn) => turn.error({ error_code: "E", message: "m", recoverable: true, details: "d" }),
      "details",
    ],
    [
      "how risky a change is",
      async (turn) => turn.fileModification({ file_path: "/p/a", operation: "modify", diff: "", risk_level: "low" }),
      "risk_level",
    ],
  ])("over Kaiak: %s", async (_, prompt, what) => {
    expect(await reported(kaiakServer(prompt), "go", 2)).toEqual([ofAgent("kaiak", what)]);
  });

  it("over Kaiak: the progress besides its step", async () => {
    const progress = { percentage: 5, phase: "p", description: "d", current_step: "s", total_steps: 3 };
    const lost = ["percentage", "phase", "description", "total_steps"].map((key) =>
      ofAgent("kaiak", `progress.${key}`),
    );
    expect(await reported(kaiakServer(async (turn) => turn.progress(progress)))).toEqual(lost);
  });

  it.each([
    ["eca", eca({ prompt: async () => {} })],
    ["kaiak", kaiak],
    ["helix-zed", helixZed],
  ] as const)("MCP servers of a session: %s", async (protocol, open) => {
    const reports: string[] = [];
    const agent = open({ onDiagnostic: ({ message }) => void reports.push(message) });
    cleanups.push(() => agent.close());
    await agent.newSession({ cwd: "/p" });
    expect(reports).toEqual([]);
    await agent.newSession({
      cwd: "/p",
      mcpServers: [{ type: "stdio", name: "m", command: "/bin/m", args: [], env: [] }],
    });
    expect(reports).toEqual([`${protocol}: mcpServers of a session is not carried`]);
  });

  it("over ACP: contents of a tool call that are not known", async () => {
    const open: Open = (options) =>
      fromAcp(async (handlers) => {
        const far = {
          prompt: async (turn: { update: (update: never) => void | Promise<void> }) => {
            const content = [{ type: "smell", of: "tea" }];
            await turn.update({
              sessionUpdate: "tool_call",
              toolCallId: "c",
              title: "T",
              status: "pending",
              content,
            } as never);
          },
        };
        return (await acpPair(far as never, { client: handlers })).client;
      }, options);
    expect(await reported(open)).toEqual([ofAgent("acp", "content of the type smell")]);
  });
});
