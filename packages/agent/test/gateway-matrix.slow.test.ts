import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lineWith } from "../../../scripts/testing/lines.js";
import { bundle } from "../../../scripts/testing/bundle.js";
import { type MatrixEditor, matrixEditors, type MatrixSession, type MatrixUser, type Side } from "./matrix/editors.js";
import { mapping } from "../src/index.js";
import type { Saying } from "../src/mapping/facts.js";
import { arrivalOf, expected, sayingOf } from "./matrix/expected.js";
import { factScripts, type ScriptedFact } from "./matrix/facts.js";
import { reportsIn } from "./matrix/reports.js";

const programs = await bundle(import.meta.url, {
  agent: "fixtures/matrix-agent.ts",
  gateway: "fixtures/matrix-gateway.ts",
  editor: "fixtures/matrix-editor.ts",
});
const sides = Object.keys(matrixEditors) as Side[];
const facts = Object.keys(factScripts) as ScriptedFact[];
const cells = sides.flatMap((editor) => sides.map((agent) => [editor, agent] as const));

/** The process has ended. One that nobody has waited for counts as ended, too. */
function isOver(pid: number): boolean {
  try {
    return execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return true; // ps finds none
  }
}

/** The agent has kept a text in its store, as it does at the end of a turn. */
function isKept(store: string, text: string): boolean {
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.some(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8").includes(text));
}

/** Both sides say a fact; of what users can change, also in another way. */
function says(editor: Side, agent: Side, fact: "history" | "sessions" | "steer" | "mode" | "config_options"): boolean {
  const isEnough = ({ how }: Saying): boolean =>
    how === "said" || (how === "approximated" && fact === "config_options");
  return isEnough(sayingOf(editor, fact)) && isEnough(sayingOf(agent, fact));
}

const cancels = [
  ["before the agent says anything", "do:wait"],
  ["while the agent thinks", "do:say do:wait", /Working/],
  ["while a tool runs", "do:tool", /in_progress/],
  ["while the user is asked", "fact:permission", "asked"],
] as const;

describe.each(cells)("an editor of %s, a gateway, an agent of %s", (editorSide, agentSide) => {
  const user: MatrixUser = { permission: "allow" };
  const gateway = [process.execPath, programs.gateway, editorSide, agentSide, process.execPath, programs.agent];
  const command = [...gateway, agentSide];
  let folder = "";
  let env: Readonly<Record<string, string>>;
  let editor: MatrixEditor;
  let session: MatrixSession;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "editwire-"));
    env = { MATRIX_REPORTS: join(folder, "reports"), MATRIX_STORE: join(folder, "sessions") };
    editor = await matrixEditors[editorSide](command, user, env);
    session = await editor.newSession();
  });
  afterAll(async () => {
    await editor.close();
    await rm(folder, { recursive: true });
  });

  /** A server of Kaiak runs incidents; what other editors prompt must have them. */
  const prompted = (text: string): string =>
    agentSide === "kaiak" && editorSide !== "kaiak" ? JSON.stringify([{ id: "1", rule_id: "r", message: text }]) : text;
  /** The user is asked for permission: not over Helix-Zed. */
  const asks = expected("permission", editorSide, agentSide).arrives === "as it is";
  const turn = (text: string, of = session) => of.prompt(prompted(text));
  const reports = () => reportsIn(join(folder, "reports"));
  const pidOf = (by: "agent" | "gateway"): number => reports().findLast((report) => report.by === by)?.pid ?? 0;

  it("carries each fact as the mapping says", async () => {
    const [received, table] = [new Map<string, unknown>(), new Map<string, unknown>()];
    for (const fact of facts) {
      const lines = await turn(`fact:${fact}`).lines();
      const expectedHere = expected(fact, editorSide, agentSide);
      const by = new Set(reports().flatMap((report) => (report.fact === fact ? [report.by] : [])));
      // Who has no part in a fact may report a part of it, such as the place of a diff.
      const isSaid = expectedHere.arrives === "as it is";
      const reportedBy = (["agent", "gateway"] as const).filter(
        (one) => by.has(one) && (isSaid || expectedHere.reportedBy.includes(one)),
      );
      received.set(fact, { arrives: arrivalOf(fact, lines, expectedHere.arrives), reportedBy });
      table.set(fact, expectedHere);
    }
    expect(Object.fromEntries(received)).toEqual(Object.fromEntries(table));
  });

  it("leaves out what the table says that the editor's protocol does not have", () => {
    const has = { history: editor.load, sessions: editor.list, steer: session.steer, mode: session.setMode };
    const table = mapping[editorSide === "acp-spec" || editorSide === "acp-v1" ? "acp" : editorSide];
    for (const [fact, does] of Object.entries(has) as [keyof typeof has, unknown][])
      expect([fact, does !== undefined]).toEqual([fact, table[fact].how === "said"]);
  });

  it("carries what the user changes", async () => {
    const { setMode, setModel } = await editor.newSession().then((opened) => (session = opened));
    const mode = says(editorSide, agentSide, "mode") && setMode !== undefined;
    const model = says(editorSide, agentSide, "config_options") && setModel !== undefined;
    await turn("do:settings").lines();
    if (mode) await setMode("plan");
    if (model) await setModel("large");
    const lines = await turn("do:settings").lines();
    expect(lines.join()).toContain(`Mode ${mode ? "plan" : "build"}, model ${model ? "large" : "small"}.`);
  });

  it.for(cancels.filter(([, , at]) => at !== "asked" || asks))("cancels %s", async ([, text, at]) => {
    user.permission = "never";
    const running = turn(text);
    let cancelled: unknown;
    const cancel = (): void => void (cancelled ??= running.cancel());
    if (at === "asked") user.onAsked = cancel;
    if (at === undefined) cancel();
    const lines = await running.lines((line) => typeof at === "object" && at.test(line) && cancel());
    await cancelled;
    Object.assign(user, { permission: "allow", onAsked: undefined });
    expect(lines.findLast((line) => line.startsWith("stop: "))).toBe("stop: cancelled");
    expect(await turn("fact:text").lines()).toContain("text: Looking around.");
  });

  it("asks the user, who rejects", async () => {
    user.permission = "reject";
    const lines = await turn("fact:permission").lines();
    user.permission = "allow";
    expect(lines).toContain(asks ? "text: Refused." : "text: Allowed.");
  });

  const adds = says(editorSide, agentSide, "steer");
  it.for(adds ? ["to the left"] : [])("adds to the running turn what the user says in it", async (text) => {
    let steered: Promise<unknown> | undefined;
    const lines = await turn("do:say do:steered").lines((line) => {
      if (line.includes("Working.")) steered ??= session.steer?.(text);
    });
    await steered;
    expect(lines.join()).toContain(`Steered: ${text}.`);
  });

  it("shows a turn that another side prompted, or reports it", async () => {
    const from = reports().length;
    await turn("do:later").lines();
    await expect.poll(() => isKept(join(folder, "sessions"), "From elsewhere."), { timeout: 15_000 }).toBe(true);
    const [near, far] = [sayingOf(editorSide, "foreign_turn"), sayingOf(agentSide, "foreign_turn")];
    const isSaid = near.how !== "not_said" && far.how !== "not_said";
    if (isSaid) await expect.poll(session.shown, { timeout: 15_000 }).toContain("From elsewhere.");
    await turn("fact:text").lines(); // who has no message in between reports it with the next turn
    const by = reports()
      .slice(from)
      .flatMap((report) => (report.fact === "foreign_turn" ? [report.by] : []));
    if (far.how !== "said") expect(by).toContain("agent");
    // An update may still come while the gateway ends the turn before.
    else if (!isSaid && !session.shown().includes("From elsewhere.")) expect(by).toContain("gateway");
  });

  it("says that the agent has a bug, and no more", async () => {
    const lines = await turn("do:crash").lines();
    expect(lines.join()).toContain("Internal error");
    expect(lines.join()).not.toContain("secret");
  });

  it("runs two sessions at once", async () => {
    const [one, two] = [await editor.newSession(), await editor.newSession()];
    const waiting = turn("do:say do:wait", one);
    let onWorking = (): void => {};
    const works = new Promise<void>((resolve) => (onWorking = resolve));
    const first = waiting.lines((line) => line.includes("Working.") && onWorking());
    await works;
    expect(await turn("fact:text", two).lines()).toContain("text: Looking around.");
    await waiting.cancel();
    expect(await first).toContain("stop: cancelled");
  });

  it("goes on in the same session when the agent was killed", async () => {
    const running = turn("do:say do:wait");
    const killed = pidOf("agent");
    let isKilled = false;
    const lines = await running.lines((line) => {
      if (line !== "text: Working.") return;
      // A host of Helix-Zed asks the agent again when it is back.
      if (isKilled) void running.cancel();
      else process.kill(killed, "SIGKILL");
      isKilled = true;
    });

    if (agentSide !== "helix-zed") expect(lines.join()).toContain("The agent behind the gateway has ended");
    expect(await turn("fact:text").lines()).toContain("text: Looking around.");
    expect(pidOf("agent")).not.toBe(killed);
  });

  const isListed = says(editorSide, agentSide, "sessions");
  // An agent of ACP names its sessions itself: without a list, a client that names them finds none.
  const isLoaded = says(editorSide, agentSide, "history") && (isListed || editorSide !== "eca");
  it(`${isLoaded ? "lists and loads the session" : "works again"} in a later process`, async () => {
    await turn("fact:text what-was-said").lines();
    const id = session.id();
    await editor.close();
    editor = await matrixEditors[editorSide](command, user, env);
    session = await editor.newSession();
    // A gateway to ECA starts its server for the first session.
    expect(await turn("fact:text").lines()).toContain("text: Looking around.");
    const ids = isListed ? ((await editor.list?.()) ?? []) : [id];
    const said = await Promise.all(isLoaded ? ids.map((one) => editor.load?.(one)) : []);
    const found = said.filter((one) => one?.includes("what-was-said") && one.includes("Looking around."));
    expect(found).toHaveLength(isLoaded ? 1 : 0);
  });

  it("ends with its editor, when that is killed", async () => {
    const other = join(folder, "killed");
    const { MATRIX_STORE } = env;
    const child = spawn(process.execPath, [programs.editor, editorSide, prompted("do:say do:wait"), ...command], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, MATRIX_STORE, MATRIX_REPORTS: other },
    });
    await lineWith(child.stdout, /^working$/);
    child.kill("SIGKILL");
    const pids = new Map(reportsIn(other).map(({ by, pid }) => [by, pid]));
    if (editorSide === "helix-zed") process.kill(pids.get("gateway") ?? 0, "SIGTERM"); // it would dial again
    for (const pid of pids.values()) await expect.poll(() => isOver(pid)).toBe(true);
    expect([...pids.keys()]).toEqual(expect.arrayContaining(["agent", "gateway"]));
  });
});
