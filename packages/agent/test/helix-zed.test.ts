import { spawn } from "node:child_process";
import {
  type HelixZedAnswerMessage,
  type HelixZedInteraction,
  type HelixZedProfile,
  helixZedProfiles,
  type HelixZedSession,
} from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { helixZedPair } from "@editwire/helix-zed/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, type AgentDefinition, type AgentTurn, createAgent, mapping, toHelixZed } from "../src/index.js";
import type { HelixZedPolicies } from "../src/helix-zed/helix-zed-view.js";
import type { Fact } from "../src/mapping/facts.js";
import { commands } from "./commands.js";
import { locked, scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

/** The facts that were reported in this test. */
const allReported = new Set<string>();
afterEach(() => allReported.clear());

interface Opened {
  readonly agent: Agent;
  readonly session: HelixZedSession;
  /** The facts that were reported. */
  readonly reported: string[];
  /** The ended interaction of a message. */
  run(message: string): Promise<HelixZedInteraction>;
}

interface OpenOptions extends HelixZedPolicies {
  readonly definition?: Partial<AgentDefinition>;
  readonly profile?: HelixZedProfile;
}

async function open({ definition, profile = helixZedProfiles.v2026, ...policies }: OpenOptions = {}): Promise<Opened> {
  const reported: string[] = [];
  const onDiagnostic = ({ message }: { message: string }): void => {
    reported.push(message.split(" ")[1] ?? "");
    allReported.add(reported.at(-1) ?? "");
  };
  const agent = createAgent({ ...scripted, ...definition });
  const served = toHelixZed(agent, { cwd: "/p", onDiagnostic, ...policies });
  const pair = helixZedPair(served, { host: { profile }, agent: { profile, flushMs: 0, onError: () => {} } });
  cleanups.push(() => pair.close());
  const session = await pair.host.session("ses_1");
  return { agent, session, reported, run: (message) => session.prompt(message).interaction };
}

const prompting = (prompt: (turn: AgentTurn) => unknown): OpenOptions => ({
  definition: { prompt: async (turn) => void (await prompt(turn)) },
});
const contents = ({ messages }: HelixZedInteraction): string[] => messages.map(({ content }) => content);
const spec = { profile: helixZedProfiles.spec };

/** The one tool call of an answer. */
function callIn({ messages }: HelixZedInteraction): HelixZedAnswerMessage {
  const calls = messages.filter(({ entryType }) => entryType === "tool_call");
  expect(calls).toHaveLength(1);
  return calls[0] as HelixZedAnswerMessage;
}

const completed = (change: object): OpenOptions =>
  prompting(async (turn) => (await turn.toolCall({ title: "Tool", ...change })).complete());

/** The agent finds that the editor lends it nothing. */
async function lendsNothing(fact: Fact): Promise<void> {
  const { run, reported } = await open(prompting(async (turn) => turn.text(`lends: ${turn.editor}`)));
  expect(JSON.stringify(await run("go"))).toContain("lends: undefined");
  expect(reported).toContain(fact);
}

/** One row for each fact of the mapping table: what a host receives, and what is reported. */
const rows: Record<Fact, () => Promise<void>> = {
  async prompt() {
    const prompts: unknown[] = [];
    const { run } = await open(prompting(({ prompt }) => prompts.push(prompt)));
    await run("Fix it");
    expect(prompts).toEqual([[{ type: "text", text: "Fix it" }]]);
  },
  async text() {
    const { run, reported } = await open();
    expect(contents(await run("say"))).toEqual(["Looking around."]);
    expect(reported).not.toContain("text");
  },
  async content() {
    const { run, reported } = await open(
      prompting(async (turn) => {
        await turn.text("See");
        await turn.content({ type: "resource_link", uri: "file:///a", name: "a" });
      }),
    );
    expect(contents(await run("go"))).toEqual(["See", "[a](file:///a)"]);
    expect(reported).toContain("content");
  },
  async thought() {
    const { run, reported } = await open(
      prompting(async (turn) => {
        await turn.thought("Let me\nsee");
        await turn.thought(" now");
        await turn.text("Seen.");
      }),
    );
    expect(contents(await run("go"))).toEqual(["> Let me\n> see now", "Seen."]);
    expect(reported).toContain("thought");
  },
  async plan() {
    const { run, reported } = await open();
    expect(contents(await run("plan"))).toEqual(["- [~] Fix it"]);
    expect(reported).toContain("plan");
  },
  async tool_call() {
    const statuses: string[] = [];
    const { session } = await open({ permission: "allow_once" });
    for await (const event of session.prompt("edit"))
      if (event.type === "tool_call") statuses.push(event.toolCall.status);
    expect(statuses.at(-1)).toBe("completed");
    expect(session.state.entries).toContainEqual(
      expect.objectContaining({ toolCall: expect.objectContaining({ title: "Edit a.ts", status: "completed" }) }),
    );
    const plain = await open({ ...completed({}), ...spec });
    expect(contents(await plain.run("go"))).toEqual(["**Tool**\n(completed)\n"]);
    expect(plain.reported).toContain("tool_call");
  },
  async tool_kind() {
    const { run, reported } = await open();
    await run("edit");
    expect(reported).toContain("tool_kind");
  },
  async tool_input() {
    const { run, reported } = await open(completed({ input: { path: "a" } }));
    expect(callIn(await run("go")).content).toBe('```json\n{\n  "path": "a"\n}\n```\n');
    expect(reported).toContain("tool_input");
  },
  async tool_output() {
    const { run, reported } = await open(
      prompting(async (turn) => (await turn.toolCall({ title: "Tool" })).complete({ output: "a ``` b" })),
    );
    expect(callIn(await run("go")).content).toBe("````\na ``` b\n````\n");
    expect(reported).toContain("tool_output");
  },
  async tool_diff() {
    const { run, reported } = await open(completed({ diff: { path: "/p/a", oldText: "a\n", newText: "b\n" } }));
    expect(callIn(await run("go")).content).toBe("```diff\n--- /p/a\n@@ -1,1 +1,1 @@\n-a\n+b\n```\n");
    expect(reported).toContain("tool_diff");
  },
  async tool_terminal() {
    const { run, reported } = await open(
      completed({ contents: [{ type: "terminal", terminalId: "1", output: "ok 1" }] }),
    );
    expect(callIn(await run("go")).content).toBe("```\nok 1\n```\n");
    expect(reported).toContain("tool_terminal");
  },
  async tool_locations() {
    const { run, reported } = await open(completed({ locations: [{ path: "/p/a", line: 1 }] }));
    expect(callIn(await run("go")).content).toBe("");
    expect(reported).toContain("tool_locations");
  },
  async tool_rejected() {
    const { run } = await open({ permission: "reject_once" });
    expect(callIn(await run("edit"))).toMatchObject({ toolStatus: "Rejected" });
  },
  async tool_cancelled() {
    const { agent, session } = await open();
    const turn = session.prompt("tool");
    for await (const event of turn)
      if (event.type === "tool_call" && event.toolCall.status === "in_progress")
        agent.session(session.state.threadId ?? "")?.cancel();
    expect(callIn(await turn.interaction)).toMatchObject({ toolStatus: "Canceled" });
  },
  async permission() {
    const { run, reported } = await open();
    const rejected = await run("edit");
    expect(callIn(rejected)).toMatchObject({ toolStatus: "Rejected" });
    expect(contents(rejected).at(-1)).toBe("Left as it was.");
    expect(reported).toContain("permission");
    const asked: unknown[] = [];
    const allowing = await open({
      permission: async ({ toolCall }) => {
        asked.push(toolCall.title);
        return "allow_once";
      },
    });
    expect(contents(await allowing.run("edit")).at(-1)).toBe("Edited.");
    expect(asked).toEqual(["Edit a.ts"]);
  },
  async permission_options() {
    const { run, reported } = await open();
    await run("edit");
    expect(reported).toContain("permission_options");
  },
  async question() {
    const { run, reported } = await open();
    expect(contents(await run("ask"))).toEqual(["Which one?\n- left\n- right", "Answer: none."]);
    expect(reported).toContain("question");
    const answering = await open({ question: async ({ options }) => options[1]?.label });
    expect(contents(await answering.run("ask")).at(-1)).toBe("Answer: right.");
  },
  async question_freeform() {
    const { run, reported } = await open();
    await run("ask");
    expect(reported).toContain("question_freeform");
  },
  async usage_context() {
    const { run, reported } = await open();
    await run("usage");
    expect(reported).toContain("usage_context");
  },
  async usage_tokens() {
    const { run, reported } = await open();
    expect((await run("usage usage")).usage).toEqual({ input_tokens: 20, output_tokens: 10, total_tokens: 30 });
    expect(reported).not.toContain("usage_tokens");
    const plain = await open(spec);
    expect((await plain.run("usage")).usage).toBeUndefined();
    expect(plain.reported).toContain("usage_tokens");
  },
  async usage_cost() {
    const { run, reported } = await open();
    await run("usage");
    expect(reported).toContain("usage_cost");
  },
  mode: () => unsaid("mode"),
  config_options: () => unsaid("config_options"),
  commands: () => unsaid("commands"),
  async info() {
    const { session, run } = await open();
    await run("title");
    expect(session.state.title).toBe("The title");
    const plain = await open(spec);
    await plain.run("title");
    expect(plain.session.state.title).toBeUndefined();
    expect(plain.reported).toContain("info");
  },
  async notice() {
    const { run, reported } = await open();
    expect(contents(await run("notice"))).toEqual(["**Warning: Low on tokens**"]);
    expect(reported).toContain("notice");
  },
  async stop() {
    const { run, reported } = await open({ definition: { prompt: async () => "max_tokens" } });
    const ended = await run("go");
    expect(ended.state).toBe("complete");
    expect(contents(ended)).toEqual(["(stopped: max_tokens)"]);
    expect(reported).toContain("stop");
  },
  async stop_error() {
    const { run } = await open({ definition: { onError: () => {} } });
    expect(await run("fail")).toMatchObject({ state: "error", error: "Out of tokens" });
    expect(await run("crash")).toMatchObject({ state: "error", error: "Internal error" });
    const plain = await open(spec);
    expect(contents(await plain.run("fail"))).toEqual(["**Out of tokens**"]);
    expect(plain.reported).toContain("stop_error");
  },
  async cancel() {
    const { agent, session, run } = await open();
    const turn = session.prompt("say wait");
    for await (const event of turn) if (event.type === "message") await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
    const running = run("say wait");
    const { threadId = "" } = session.state;
    await expect.poll(() => agent.session(threadId)?.events.filter(({ type }) => type === "text")).toHaveLength(2);
    agent.session(threadId)?.cancel();
    expect(contents(await running)).toEqual(["Looking around.", "(stopped: cancelled)"]);
  },
  async steer() {
    const { agent, session, run, reported } = await open();
    await run("say");
    const running = run("steers");
    const held = agent.session(session.state.threadId ?? "");
    await expect.poll(() => held?.turn).toBeDefined();
    held?.steer("left");
    expect(contents(await running)).toEqual(["> left", "Steered: left."]);
    expect(reported).toContain("steer");
  },
  async foreign_turn() {
    const { agent, session, run, reported } = await open();
    await run("say");
    const held = agent.session(session.state.threadId ?? "");
    const foreign = held?.prompt("steers");
    const running = run("say");
    await expect.poll(() => agent.session(session.state.threadId ?? "")?.turn?.promptText).toBe("steers");
    await new Promise((resolve) => setImmediate(resolve));
    held?.steer("left");
    expect(await foreign).toEqual({ stopReason: "end_turn" });
    expect(contents(await running)).toEqual(["Looking around."]);
    expect(reported).toContain("foreign_turn");
  },
  async history() {
    const events = [{ type: "text" as const, text: "before" }];
    const { session, run, reported } = await open({
      definition: { loadSession: (id) => (id === "t1" ? { events } : undefined) },
    });
    await session.bind("t1");
    expect(contents(await run("say"))).toEqual(["Looking around."]);
    expect(reported).toContain("history");
    const held = await open();
    const other = await held.agent.newSession({ cwd: "/p" });
    await other.prompt("say");
    await held.session.bind(other.id);
    expect(contents(await held.run("say"))).toEqual(["Looking around."]);
    expect(held.reported).toContain("history");
    const own = await open();
    await own.run("say");
    await own.run("say");
    expect(own.reported).not.toContain("history");
  },
  async rewind() {
    expect(mapping["helix-zed"].rewind.how).toBe("not_said"); // hosts have no message to ask for it
  },
  editor_files: () => lendsNothing("editor_files"),
  editor_terminals: () => lendsNothing("editor_terminals"),
  async sign_in() {
    const { run, reported } = await open({ definition: locked() });
    expect((await run("say")).error).toContain("sign in by Account, or by Shell");
    expect(reported).toContain("sign_in");
  },
  async sessions() {
    const { agent, session, run } = await open();
    await run("say");
    expect(mapping["helix-zed"].sessions.how).toBe("not_said");
    expect(agent.session(session.state.threadId ?? "")).toMatchObject({
      cwd: "/p",
      meta: { "editwire/helix-zed": { sessionId: "ses_1" } },
    });
  },
};

async function unsaid(fact: Fact): Promise<void> {
  const { run, reported } = await open();
  expect(contents(await run("nothing"))).toEqual([]);
  expect(mapping["helix-zed"][fact].how).toBe("not_said");
  expect(reported).toContain(fact);
}

describe("toHelixZed, fact by fact", () => {
  it.each(Object.entries(rows))("%s", async (fact, row) => {
    await row();
    if (fact === "sessions" || fact === "rewind") return; // nobody can ask for what is left out
    const { how, otherwise } = mapping["helix-zed"][fact as Fact];
    if (how !== "said" || otherwise === undefined) expect(allReported.has(fact)).toBe(how !== "said");
  });
});

describe("toHelixZed", () => {
  it("lets another view of the session answer", async () => {
    const { agent, session, run } = await open();
    await run("say");
    agent.session(session.state.threadId ?? "")?.attach({
      name: "other",
      event: () => {},
      permission: async () => "allow_once",
      question: async () => "left",
    });
    expect(contents(await run("edit ask")).slice(-3)).toEqual([
      "Edited.",
      "Which one?\n- left\n- right",
      "Answer: left.",
    ]);
  });

  it("says that it does not know a thread, after which the host begins a new one", async () => {
    const { session, run } = await open();
    await session.bind("gone");
    expect(await run("say")).toMatchObject({ state: "error", error: "no such thread", messages: [] });
    expect(contents(await run("say"))).toEqual(["Looking around."]);
    expect(session.state.threadId).not.toBe("gone");
  });

  it("dials from a process of its own, and goes on after it was killed", async () => {
    const host = await listenHelixZed({ profile: helixZedProfiles.v2026 });
    cleanups.push(() => host.close());
    const start = () => {
      const [command = "", ...args] = commands.helixZedAgent;
      const child = spawn(command, [...args, host.url], { stdio: ["ignore", "ignore", "inherit"] });
      cleanups.push(() => child.kill("SIGKILL"));
      return child;
    };
    const first = start();
    const session = await host.session("ses_1");
    expect(contents(await session.prompt("say edit").interaction)).toEqual([
      "Looking around.",
      expect.stringContaining("--- /p/a.ts"),
      "Edited.",
    ]);
    first.kill("SIGKILL");
    const turn = session.prompt("say");
    start();
    expect(contents(await turn.interaction)).toEqual(["Looking around."]);
  });
});
