import type { KaiakClientOptions, KaiakSession, KaiakTurnEvent } from "@editwire/kaiak";
import { spawnKaiak } from "@editwire/kaiak/node";
import { kaiakPair } from "@editwire/kaiak/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, type AgentDefinition, createAgent, mapping, toKaiak } from "../src/index.js";
import type { Fact } from "../src/mapping/facts.js";
import { commands } from "./commands.js";
import { locked, scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

const incident = (message: string) => ({ id: "1", rule_id: "r", message });

/** The facts that were reported in this test. */
const allReported = new Set<string>();
afterEach(() => allReported.clear());

interface Opened {
  readonly agent: Agent;
  readonly session: KaiakSession;
  /** The facts that were reported. */
  readonly reported: string[];
  /** The events of a run, without those that report a result. */
  run(message: string): Promise<KaiakTurnEvent[]>;
}

async function open(definition: Partial<AgentDefinition> = {}, options: KaiakClientOptions = {}): Promise<Opened> {
  const reported: string[] = [];
  const onDiagnostic = ({ message }: { message: string }): void => {
    reported.push(message.split(" ")[1] ?? "");
    allReported.add(reported.at(-1) ?? "");
  };
  const agent = createAgent({ ...scripted, ...definition });
  const configuration = { workspace: { working_dir: "/p" } };
  const pair = await kaiakPair(toKaiak(agent, { onDiagnostic }), { client: options, server: { configuration } });
  cleanups.push(() => pair.client.close());
  const session = pair.client.newSession();
  const run = async (message: string) => {
    const events: KaiakTurnEvent[] = [];
    for await (const event of session.prompt([incident(message)])) events.push(event);
    return events;
  };
  return { agent, session, reported, run };
}

const answering = (answer: string): KaiakClientOptions => ({ question: async () => answer });
const prompting = (prompt: AgentDefinition["prompt"]): Partial<AgentDefinition> => ({ prompt });
const stop = (stopReason: string) => ({ type: "stop", stopReason });
const last = { type: "text", text: "", partial: false };

/** The agent finds that the editor lends it nothing. */
async function lendsNothing(fact: Fact): Promise<void> {
  const { run, reported } = await open(prompting(async (turn) => turn.text(`lends: ${turn.editor}`) as undefined));
  expect(JSON.stringify(await run("go"))).toContain("lends: undefined");
  expect(reported).toContain(fact);
}

/** One row for each fact of the mapping table: what a client of Kaiak receives, and what is reported. */
const rows: Record<Fact, () => Promise<void>> = {
  async prompt() {
    const prompts: string[] = [];
    const { run } = await open(prompting(async ({ promptText }) => void prompts.push(promptText)));
    await run("Gone");
    expect(prompts).toEqual(["Fix this incident:\n\n1. Gone (rule r)"]);
  },
  async text() {
    const { run, reported } = await open();
    expect(await run("say")).toEqual([
      { type: "text", text: "Looking around.", partial: true },
      last,
      stop("end_turn"),
    ]);
    expect(reported).not.toContain("text");
  },
  async content() {
    const { run, reported } = await open(
      prompting(async (turn) => {
        await turn.content({ type: "resource_link", uri: "file:///a", name: "a" });
        await turn.content({ type: "image", data: "AAAA", mimeType: "image/png" });
      }),
    );
    expect(await run("go")).toMatchObject([{ text: "[a](file:///a)" }, { text: "[image image/png, 3 bytes]" }, {}]);
    expect(reported).toContain("content");
  },
  async thought() {
    expect(await (await open()).run("think")).toEqual([{ type: "thought", text: "Hm." }, stop("end_turn")]);
  },
  async plan() {
    const { run, reported } = await open();
    expect((await run("plan"))[0]).toMatchObject({
      progress: { percentage: 0, phase: "plan", description: "Fix it", current_step: "Fix it", total_steps: 1 },
    });
    expect(reported).toContain("plan");
  },
  async tool_call() {
    const { run, reported } = await open({}, answering("approve"));
    const calls = (await run("edit")).flatMap((event) => (event.type === "tool_call" ? [event.toolCall] : []));
    expect(calls).toMatchObject([
      { name: "apply_change", operation: "Edit a.ts", status: "pending" },
      { status: "in_progress" },
      { status: "completed" },
    ]);
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(1);
    expect(reported).toContain("tool_call");
  },
  async tool_kind() {
    const { run, reported } = await open({}, answering("deny"));
    await run("edit");
    expect(reported).toContain("tool_kind");
  },
  async tool_input() {
    const { run, reported } = await open(
      prompting(async (turn) => {
        const call = await turn.toolCall({ title: "Read", status: "pending" });
        await call.update({ input: { path: "a" } });
        await call.update({ input: { path: "b" } });
        await call.complete();
      }),
    );
    expect(await run("go")).toMatchObject([
      { toolCall: { status: "in_progress", arguments: { path: "a" } } },
      { toolCall: { status: "completed", arguments: { path: "a" } } },
      {},
    ]);
    expect(reported).toContain("tool_input");
  },
  async tool_output() {
    const { run } = await open(
      prompting(async (turn) => {
        await (await turn.toolCall({ title: "One" })).complete({ output: { found: 1 } });
        await (await turn.toolCall({ title: "Two" })).fail({ output: "no such file" });
      }),
    );
    const ended = (await run("go")).filter(
      (event) => event.type === "tool_call" && event.toolCall.result !== undefined,
    );
    expect(ended).toMatchObject([
      { toolCall: { status: "completed", result: { success: true, output: '{\n  "found": 1\n}' } } },
      { toolCall: { status: "failed", result: { success: false, error: "no such file" } } },
    ]);
  },
  async tool_diff() {
    const { run } = await open(
      prompting(async (turn) => {
        const call = await turn.toolCall({ title: "New", diff: { path: "/p/src/b.ts", newText: "b\n" } });
        await call.complete();
      }),
    );
    expect((await run("go")).find(({ type }) => type === "file_modification")).toMatchObject({
      modification: {
        file_path: "src/b.ts",
        operation: "create",
        diff: "@@ -0,0 +1,1 @@\n+b\n",
        requires_approval: false,
      },
    });
  },
  async tool_terminal() {
    const { run, reported } = await open(
      prompting(async (turn) => {
        const call = await turn.toolCall({ title: "Test" });
        await call.complete({ contents: [{ type: "terminal", terminalId: "1", output: "ok 1" }] });
      }),
    );
    expect((await run("go")).at(-2)).toMatchObject({ toolCall: { result: { success: true, output: "ok 1" } } });
    expect(reported).toContain("tool_terminal");
  },
  async tool_locations() {
    const { run, reported } = await open(
      prompting(async (turn) => {
        await (await turn.toolCall({ title: "Read", locations: [{ path: "/p/a" }] })).complete();
      }),
    );
    await run("go");
    expect(reported).toContain("tool_locations");
  },
  async tool_rejected() {
    const { run } = await open({}, answering("deny"));
    expect(await run("edit")).toContainEqual(
      expect.objectContaining({ toolCall: expect.objectContaining({ status: "rejected" }) }),
    );
  },
  async tool_cancelled() {
    const { session, reported } = await open();
    const turn = session.prompt([incident("tool")]);
    const statuses: string[] = [];
    for await (const event of turn) {
      if (event.type !== "tool_call") continue;
      statuses.push(event.toolCall.status);
      if (event.toolCall.status === "in_progress") void turn.cancel();
    }
    expect(statuses).toEqual(["pending", "in_progress", "failed"]);
    expect(reported).toContain("tool_cancelled");
  },
  async permission() {
    const { run } = await open({}, answering("approve"));
    const events = await run("edit");
    expect(events.map(({ type }) => type)).toEqual([
      ...["tool_call", "file_modification", "question", "tool_call", "tool_call", "text", "text", "stop"],
    ]);
    expect(events[1]).toMatchObject({
      modification: {
        file_path: "a.ts",
        operation: "modify",
        requires_approval: true,
        diff: expect.stringContaining("-a"),
      },
    });
    expect(events[2]).toMatchObject({ question: { type: "file_approval", options: ["approve", "deny", "edit"] } });
    const denied = await open({}, answering("edit"));
    expect(await denied.run("edit")).toContainEqual({ type: "text", text: "Left as it was.", partial: true });
  },
  async permission_options() {
    const asked = prompting(async (turn) => {
      const call = await turn.toolCall({ title: "Run tests", name: "tests" });
      const decision = await turn.requestPermission(call, [
        { optionId: "1", name: "Yes", kind: "allow_once" },
        { optionId: "2", name: "Yes, and watch", kind: "allow_once" },
        { optionId: "3", name: "No", kind: "reject_once" },
      ]);
      await turn.text(decision.outcome === "selected" ? decision.optionId : "none");
    });
    const { run, reported } = await open(asked, answering("Yes, and watch"));
    const events = await run("go");
    expect(events).toContainEqual(
      expect.objectContaining({
        question: expect.objectContaining({ type: "choice", options: ["Yes", "Yes, and watch", "No"] }),
      }),
    );
    expect(events).toContainEqual({ type: "text", text: "2", partial: true });
    expect(reported).toContain("permission_options");
  },
  async question() {
    const { run } = await open({}, answering("right"));
    const [question, answer] = await run("ask");
    expect(question).toMatchObject({ question: { type: "choice", prompt: "Which one?", options: ["left", "right"] } });
    expect(answer).toMatchObject({ text: "Answer: right." });
  },
  async question_freeform() {
    const asks = prompting(async (turn) => turn.text((await turn.ask("Name?")) ?? "none") as undefined);
    const { run } = await open(asks, answering("Ada"));
    expect(await run("go")).toMatchObject([{ question: { type: "text_input", options: [] } }, { text: "Ada" }, {}, {}]);
    const closed = await open({}, answering("left"));
    await closed.run("ask");
    expect(closed.reported).toContain("question_freeform");
  },
  async usage_context() {
    const { run, reported } = await open();
    const message = "10 tokens in, 5 tokens out, 100 of 1000 tokens of context, cost of the session 0.5 USD";
    expect(await run("usage")).toMatchObject([{ type: "system", system: { message, component: "usage" } }, {}]);
    expect(reported).toContain("usage_context");
  },
  async usage_tokens() {
    const { run, reported } = await open();
    await run("usage");
    expect(reported).toContain("usage_tokens");
  },
  async usage_cost() {
    const { run, reported } = await open();
    await run("usage");
    expect(reported).toContain("usage_cost");
  },
  mode: () => unsaid("mode", {}),
  config_options: () => unsaid("config_options", {}),
  commands: () => unsaid("commands", {}),
  info: () => unsaid("info", {}, "title"),
  async notice() {
    expect((await (await open()).run("notice"))[0]).toMatchObject({
      system: { message: "Low on tokens", level: "warning", component: "agent" },
    });
  },
  async stop() {
    const { run, reported } = await open(prompting(async () => "max_tokens"));
    expect(await run("go")).toMatchObject([
      { error: { error_code: "MAX_TOKENS", message: "The agent stopped: max_tokens", recoverable: false } },
      stop("error"),
    ]);
    expect(reported).toContain("stop");
  },
  async stop_error() {
    const { run } = await open({ onError: () => {} });
    const details = JSON.stringify({ code: -32_000, data: { retry: false } });
    expect(await run("fail")).toMatchObject([
      { error: { error_code: "AGENT_ERROR", message: "Out of tokens", details, recoverable: false } },
      stop("error"),
    ]);
    expect(await run("crash")).toMatchObject([{ error: { message: "Internal error" } }, stop("error")]);
  },
  async cancel() {
    const { agent, session, run } = await open();
    const turn = session.prompt([incident("wait")]);
    await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
    const running = run("say wait");
    await expect.poll(() => agent.session(session.id)?.events.some(({ type }) => type === "text")).toBe(true);
    agent.session(session.id)?.cancel();
    expect((await running).at(-1)).toEqual(stop("cancelled"));
  },
  async steer() {
    const { agent, session, run, reported } = await open();
    const running = run("steers");
    await expect.poll(() => agent.session(session.id)?.turn).toBeDefined();
    agent.session(session.id)?.steer("left");
    expect(await running).toMatchObject([
      { system: { message: "left", component: "user" } },
      { text: "Steered: left." },
      last,
      stop("end_turn"),
    ]);
    expect(reported).toContain("steer");
  },
  async foreign_turn() {
    const { agent, session, run, reported } = await open();
    const foreign = await agent.newSession({ sessionId: session.id, cwd: "/p" });
    const running = foreign.prompt("wait");
    await expect(run("say")).rejects.toMatchObject({ code: -32_016, data: { session_id: session.id } });
    expect(reported).toContain("foreign_turn");
    foreign.cancel();
    await running;
    expect((await run("say")).at(-1)).toEqual(stop("end_turn"));
  },
  async history() {
    const events = [{ type: "text" as const, text: "before" }];
    const { run, reported } = await open({ loadSession: () => ({ events }) });
    expect(await run("say")).not.toContainEqual(expect.objectContaining({ text: "before" }));
    expect(reported).toContain("history");
  },
  async rewind() {
    expect(mapping.kaiak.rewind.how).toBe("not_said"); // clients have no message to ask for it
  },
  editor_files: () => lendsNothing("editor_files"),
  editor_terminals: () => lendsNothing("editor_terminals"),
  async sign_in() {
    const { run, reported } = await open(locked(), answering("Account"));
    expect(await run("say")).toMatchObject([
      { question: { type: "choice", options: ["Account"] } },
      { text: "Looking around." },
      last,
      stop("end_turn"),
    ]);
    expect(reported).toContain("sign_in");
    const { authenticate: _, ...without } = locked();
    const byItself = await open(without);
    await expect(byItself.run("say")).rejects.toThrow("sign in by Account, or by Shell");
  },
  async sessions() {
    expect(mapping.kaiak.sessions.how).toBe("approximated");
    const deleted: string[] = [];
    const { agent, session, run } = await open({ deleteSession: (id) => void deleted.push(id) });
    await run("say");
    expect(agent.session(session.id)?.cwd).toBe("/p");
    await session.delete();
    expect(deleted).toEqual([session.id]);
    expect(agent.session(session.id)).toBeUndefined();
  },
};

async function unsaid(fact: Fact, definition: Partial<AgentDefinition>, message = "nothing"): Promise<void> {
  const { run, reported } = await open(definition);
  expect(await run(message)).toEqual([stop("end_turn")]);
  expect(mapping.kaiak[fact].how).toBe("not_said");
  expect(reported).toContain(fact);
}

describe("toKaiak, fact by fact", () => {
  it.each(Object.entries(rows))("%s", async (fact, row) => {
    await row();
    if (fact === "sessions" || fact === "rewind") return; // nobody can ask for what is left out
    const { how, otherwise } = mapping.kaiak[fact as Fact];
    if (how !== "said" || otherwise === undefined) expect(allReported.has(fact)).toBe(how !== "said");
  });
});

describe("toKaiak", () => {
  it("prompts with the incidents and the context, as text and as data", async () => {
    const prompts: unknown[] = [];
    const { session } = await open({
      accepts: ["resource"],
      prompt: async ({ prompt, meta }) => void prompts.push(prompt, meta),
    });
    const incidents = [
      { id: "1", rule_id: "r1", message: "Gone", description: "was\nremoved", severity: "error", uri: "src/A.java" },
      { id: "2", rule_id: "r2", message: "Old", effort: "low" },
    ];
    const migrationContext = {
      source_technology: "Java EE",
      target_technology: "Jakarta",
      migration_hints: ["rename"],
      constraints: ["no tests"],
      preferences: { indent: 2 },
    };
    await session.prompt(incidents, { migrationContext, options: { include_explanations: false } }).result;
    const data = { incidents, migration_context: migrationContext, options: { include_explanations: false } };
    const workspace = expect.objectContaining({
      working_dir: "/p",
      exclude_patterns: [".git/**", "target/**", "node_modules/**"],
    });
    const text = `Fix these incidents of a migration from Java EE to Jakarta:

1. src/A.java: Gone (rule r1, severity error)
   was
   removed
2. Old (rule r2, effort low)

Hints:
- rename

Constraints:
- no tests

Preferences:
- indent: 2

Do not explain the changes.`;
    expect(prompts).toEqual([
      [
        { type: "text", text },
        {
          type: "resource",
          resource: {
            uri: expect.stringMatching(/^kaiak:req-/),
            mimeType: "application/json",
            text: JSON.stringify(data),
          },
        },
      ],
      {
        "editwire/kaiak": {
          ...data,
          configuration: expect.objectContaining({ workspace, session: expect.anything() }),
        },
      },
    ]);
  });

  it("reports what it does not say of a session that another view has opened", async () => {
    const { agent, session, run, reported } = await open();
    const held = await agent.newSession({ sessionId: session.id, cwd: "/p" });
    await held.prompt("say title");
    await run("say");
    await run("say");
    expect(reported).toEqual(["mode", "config_options", "commands", "info", "history"]);
    const own = await open();
    await own.run("say");
    await own.run("say");
    expect(own.reported).toEqual(["mode", "config_options", "commands"]);
  });

  it("asks nobody about a tool that the client's configuration allows or denies", async () => {
    const asks = async (name: string, kind?: string): Promise<KaiakTurnEvent[]> => {
      const { run } = await open(
        prompting(async (turn) => {
          const call = await turn.toolCall({ title: "Tool", name, kind });
          await turn.text(String((await turn.requestPermission(call)).allowed));
        }),
      );
      return run("go");
    };
    expect(await asks("read_file")).toContainEqual({ type: "text", text: "true", partial: true });
    expect(await asks("shell_command")).toContainEqual({ type: "text", text: "false", partial: true });
    expect(await asks("look", "search")).toContainEqual({ type: "text", text: "true", partial: true });
    expect(await asks("sh", "execute")).toContainEqual({ type: "text", text: "false", partial: true });
  });

  const edits = prompting(async (turn) => {
    const [oldText, newText] = ["a\n", turn.promptText.includes("all") ? "b\n".repeat(20) : "b\n"];
    const call = await turn.toolCall({ title: "Edit", kind: "edit", diff: { path: "/p/a", oldText, newText } });
    const { allowed } = await turn.requestPermission(call);
    await turn.text([allowed, ...turn.takeSteers().map(({ text }) => text)].join());
    if (allowed) await call.complete();
  });

  it("makes changes of low risk without a question, where the client wants that, and keeps words back", async () => {
    const { session } = await open(edits, answering("deny"));
    const run = async (message: string) => {
      const events: KaiakTurnEvent[] = [];
      const options = { auto_apply_safe_fixes: true, include_explanations: false };
      for await (const event of session.prompt([incident(message)], { options })) events.push(event);
      return events.filter(({ type }) => type !== "tool_call");
    };
    const change = (modification: object) => ({ type: "file_modification", modification });
    expect(await run("Edit")).toMatchObject([change({ risk_level: "low", requires_approval: false }), {}]);
    expect(await run("Edit all")).toMatchObject([
      change({ risk_level: "medium", requires_approval: true }),
      { type: "question" },
      {},
    ]);
  });

  it("asks what should be different about a change, and adds it to the turn", async () => {
    const question: KaiakClientOptions["question"] = async ({ type, prompt }) =>
      type === "text_input" ? prompt : "edit";
    const events = await (await open(edits, { question })).run("Edit");
    const text = "false,In a: What should be different in a?";
    expect(events).toContainEqual({ type: "text", text, partial: true });
  });

  it("refuses a late answer when another view has answered", async () => {
    const { agent, session } = await open();
    let answer: (text: string) => void = () => {};
    const other = new Promise<string>((resolve) => (answer = resolve));
    const held = await agent.newSession({ sessionId: session.id, cwd: "/p" });
    held.attach({ name: "other", event: () => {}, question: () => other });
    let respond: ((answer: string) => Promise<void>) | undefined;
    const texts: string[] = [];
    for await (const event of session.prompt([incident("ask")])) {
      if (event.type === "text") texts.push(event.text);
      if (event.type !== "question") continue;
      respond = (late) => event.respond(late);
      answer("right");
    }
    expect(texts).toEqual(["Answer: right.", ""]);
    await expect(respond?.("left")).rejects.toMatchObject({ code: -32_010 });
  });

  it("takes no session of an authenticated caller", async () => {
    const { agent, session, run } = await open({ onError: () => {} });
    await agent.newSession({ sessionId: session.id, cwd: "/p", caller: "ada" });
    await expect(run("say")).rejects.toMatchObject({ code: -32_600 });
    expect(agent.session(session.id, "ada")?.events).toEqual([]);
  });

  it("runs in a process of its own", async () => {
    const client = await spawnKaiak(commands.kaiakServer, answering("approve"));
    cleanups.push(() => client.close());
    const turn = client.newSession().prompt([incident("say plan edit")]);
    const types: string[] = [];
    for await (const { type } of turn) types.push(type);
    expect(types).toEqual([
      ...["text", "text", "progress", "tool_call", "file_modification", "question", "tool_call", "tool_call"],
      ...["text", "text", "stop"],
    ]);
    expect(await turn.result).toMatchObject({ status: "completed", incident_count: 1 });
  });
});
