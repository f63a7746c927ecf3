import { describe, expect, it } from "vitest";
import { bundle } from "../../scripts/testing/bundle.js";
import { acp, eca, helixZed, kaiak, launchTarget, runConformance, stdioTarget, wsSeat } from "../src/index.js";

const programs = await bundle(import.meta.url, { hub: "fixtures/agents/hub.ts" });
const sides = {
  "acp-spec": { protocol: acp, role: "agent" },
  "acp-v1": { protocol: acp, role: "agent", profile: "v1" },
  eca: { protocol: eca, role: "server" },
  kaiak: { protocol: kaiak, role: "server" },
  "helix-zed": { protocol: helixZed, role: "agent" },
} as const;
type Side = keyof typeof sides;

/** The checks that the agent at the end of this command line does not pass, without mere recommendations. */
async function notPassed(...args: readonly [Side, ...string[]]): Promise<string[]> {
  const argv = [process.execPath, programs.hub, ...args];
  const target = args[0] === "helix-zed" ? launchTarget({ argv, seat: wsSeat() }) : stdioTarget({ argv });
  const options = { target, seed: 1, jobs: 4, graceMs: 1_000, behaviors: "commands" } as const;
  const { cases } = await runConformance({ ...sides[args[0]], ...options });
  expect(cases.length).toBeGreaterThan(50);
  const wrong: readonly string[] = ["fail", "blocked", "harness-error"];
  return cases.flatMap(({ checks }) => checks.flatMap(({ id, verdict }) => (wrong.includes(verdict) ? [id] : [])));
}

describe("one agent of @editwire/agent", () => {
  it.each(Object.keys(sides) as Side[])("passes over %s", async (side) => {
    expect(await notPassed(side)).toEqual([]);
  });
});

/** An agent that dials cannot ask its host for a permission, nor say why a turn ended. */
const unaskedOverAcp = [
  "acp.agent.answered.error.session-request-permission#ACP-PERM-009",
  "acp.agent.answered.malformed.session-request-permission#ACP-PERM-009",
  "acp.agent.cancel.permission-late#ACP-CANCEL-002",
  "acp.agent.cancel.permission-late#ACP-PERM-004",
  "acp.agent.cancel.permission-open#ACP-CANCEL-002",
  "acp.agent.permission.allowed#ACP-PERM-002",
  "acp.agent.permission.allowed#ACP-PERM-003",
  "acp.agent.permission.cancelled#ACP-PERM-004",
  "acp.agent.permission.error#ACP-PERM-004",
  "acp.agent.permission.longer-option#ACP-PERM-004",
  "acp.agent.permission.no-such-option#ACP-PERM-004",
  "acp.agent.permission.once#ACP-PERM-002",
  "acp.agent.permission.reject-once#ACP-PERM-004",
  "acp.agent.permission.side-by-side#ACP-PERM-003",
  "acp.agent.permission.side-by-side#ACP-PERM-004",
  "acp.agent.turn.max-tokens#ACP-TURN-002",
  "acp.agent.turn.max-turn-requests#ACP-TURN-002",
  "acp.agent.turn.refuse#ACP-TURN-002",
  "acp.agent.turn.side-by-side#ACP-TURN-010", // one of the two waits for a permission
  "acp.agent.turn.side-by-side#ACP-UPDATE-006",
];
/** In the specification's dialect, which has no way to declare what prompts may have; Helix-Zed has texts only. */
const unaskedOverSpec = [
  ...unaskedOverAcp,
  "acp.agent.turn.content-3-resource#ACP-TURN-004",
  "acp.agent.turn.content-4-resource#ACP-TURN-004",
  "acp.agent.turn.content-5-image#ACP-TURN-004",
  "acp.agent.turn.content-6-image#ACP-TURN-004",
  "acp.agent.turn.content-7-audio#ACP-TURN-004",
  "acp.agent.turn.content-8-audio#ACP-TURN-004",
  "acp.agent.turn.second-prompt#ACP-TURN-006", // the first one waits for a permission
  "acp.agent.turn.second-prompt#ACP-TURN-007",
];
/** The same for clients of Kaiak. There is no progress either, and an error of the agent itself is a text. */
const unaskedOverKaiak = [
  "kaiak.server.ask.default#KAIAK-ASK-004",
  "kaiak.server.ask.default#KAIAK-ASK-006",
  "kaiak.server.ask.no-option#KAIAK-ASK-005",
  "kaiak.server.ask.respond#KAIAK-ASK-001",
  "kaiak.server.ask.twice#KAIAK-ASK-004",
  "kaiak.server.ask.three#KAIAK-ASK-001",
  "kaiak.server.ask.user-message#KAIAK-ASK-002",
  "kaiak.server.ask.waits#KAIAK-ASK-007",
  "kaiak.server.fix.ends-error#KAIAK-FIX-017",
  "kaiak.server.fix.modification#KAIAK-FIX-009",
  "kaiak.server.fix.new-session#KAIAK-FIX-003",
];
/** Servers of Kaiak end a run that was stopped as failed. */
const endsOfRuns = ["max-tokens", "max-turn-requests", "refuse"].flatMap((end) => [
  `acp.agent.turn.${end}#ACP-TURN-001`,
  `acp.agent.turn.${end}#ACP-TURN-002`,
]);
/** They also have steps in place of a plan, for which only version 1 has a requirement. */
const runsOverAcp = [...endsOfRuns, "acp.agent.update.whole-plans#ACP-PLAN-001"];
/** An agent of the specification's dialect cannot decline images and audio, which Kaiak does not have. */
const runsOverSpec = [
  ...endsOfRuns,
  "acp.agent.turn.content-5-image#ACP-TURN-004",
  "acp.agent.turn.content-6-image#ACP-TURN-004",
  "acp.agent.turn.content-7-audio#ACP-TURN-004",
  "acp.agent.turn.content-8-audio#ACP-TURN-004",
];
/** The same for editors of ECA. There are no models either, and thoughts are quotations. */
const unaskedOverEca = [
  "eca.server.life.initialize#ECA-LIFE-014",
  "eca.server.stop.waiting#ECA-STOP-001",
  "eca.server.stop.waiting#ECA-STOP-002",
  "eca.server.tool.approved#ECA-TOOL-006",
  "eca.server.tool.approved#ECA-TOOL-007",
  "eca.server.tool.rejected#ECA-TOOL-008",
  "eca.server.tool.two-chats#ECA-TOOL-006",
  "eca.server.tool.unknown#ECA-TOOL-009",
  "eca.server.turn.reason#ECA-TURN-006",
];

/** Servers of ECA say neither why a turn ended nor that it failed, other than in words, and take no audio. */
const gateways: [editor: Side, agent: Side, ...explained: string[]][] = [
  ["acp-spec", "acp-v1"],
  ["acp-spec", "acp-spec"],
  [
    "acp-spec",
    "eca",
    "acp.agent.turn.content-7-audio#ACP-TURN-004",
    "acp.agent.turn.content-8-audio#ACP-TURN-004",
    "acp.agent.turn.max-tokens#ACP-TURN-002",
    "acp.agent.turn.max-turn-requests#ACP-TURN-002",
    "acp.agent.turn.refuse#ACP-TURN-002",
  ],
  ["kaiak", "acp-spec", "kaiak.server.fix.ends-error#KAIAK-FIX-017"], // an error of the agent itself is a text there
  ["acp-v1", "acp-v1"],
  ["eca", "acp-v1"],
  ["kaiak", "acp-v1"],
  ["helix-zed", "acp-v1"],
  [
    "acp-v1",
    "eca",
    "acp.agent.turn.max-tokens#ACP-TURN-002",
    "acp.agent.turn.max-turn-requests#ACP-TURN-002",
    "acp.agent.turn.refuse#ACP-TURN-002",
  ],
  ["eca", "eca"],
  [
    "kaiak",
    "eca",
    "kaiak.server.fix.ends-error#KAIAK-FIX-017",
    "kaiak.server.fix.ends-fail#KAIAK-FIX-011",
    "kaiak.server.fix.ends-fail#KAIAK-SESSION-003",
  ],
  ["helix-zed", "eca", "helix-zed.agent.turn.messages#HELIX-TURN-012"], // content of a message is text in ECA
  ["kaiak", "kaiak"],
  ["eca", "acp-spec"],
  ["acp-v1", "acp-spec"],
  ["helix-zed", "acp-spec"],
  ["acp-spec", "kaiak", ...runsOverSpec],
  ["acp-v1", "kaiak", ...runsOverAcp],
  ["eca", "kaiak", "eca.server.life.initialize#ECA-LIFE-014"], // there are no models
  ["helix-zed", "kaiak", "helix-zed.agent.turn.messages#HELIX-TURN-012"],
  ["acp-v1", "helix-zed", ...unaskedOverAcp],
  ["acp-spec", "helix-zed", ...unaskedOverSpec],
  ["kaiak", "helix-zed", ...unaskedOverKaiak],
  ["eca", "helix-zed", ...unaskedOverEca],
  ["helix-zed", "helix-zed", "helix-zed.agent.turn.messages#HELIX-TURN-012"], // and in Helix-Zed, too
];

describe.concurrent("a gateway to that agent", () => {
  it.each(gateways)("passes as the agent does: %s in front of %s", async (editor, agent, ...explained) => {
    expect((await notPassed(editor, agent)).sort()).toEqual([...explained].sort());
  });
});
