import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { commands } from "./commands.js";
import { acpEditor, type Editor, type User } from "./editors.js";
import { type FarEditor, type FarUser, helixLikeHost, kaiakClient } from "./far-editors.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

/** Each editor side with the agent at once, and with a gateway to the same agent over ACP. */
const sides = {
  "a Kaiak client": { open: kaiakClient, direct: commands.kaiakServer, gateway: commands.kaiakToAcp, said: /^Looking/ },
  "a Helix-like host": {
    open: (command: readonly string[]): Promise<FarEditor> => helixLikeHost(command),
    direct: commands.helixZedAgent,
    gateway: commands.helixZedToAcp,
    said: /^Looking/,
  },
} as const;

/** The processes whose program has this text in its name, and whose ancestor is this process. */
function below(text: string): number[] {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const parents = new Map(rows.map((row) => row.trim().split(/\s+/).slice(0, 2).map(Number) as [number, number]));
  const isBelow = (pid: number): boolean => {
    for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at))
      if (at === process.pid) return true;
    return false;
  };
  return rows.flatMap((row) => {
    const [pid = "", , ...args] = row.trim().split(/\s+/);
    return args[1]?.includes(text) === true && isBelow(Number(pid)) ? [Number(pid)] : [];
  });
}

function killBelow(text: string): void {
  for (const pid of below(text)) process.kill(pid, "SIGKILL");
}

describe.each(Object.entries(sides))("%s, a gateway, an ACP agent", (_, { open, direct, gateway, said }) => {
  const user: FarUser = { answer: () => "approve" };
  let editors: { readonly direct: FarEditor; readonly gateway: FarEditor };
  beforeAll(async () => {
    editors = { direct: await open(direct, user), gateway: await open(gateway, user) };
  });
  afterAll(() => Promise.all(Object.values(editors).map((editor) => editor.close())));

  const shown = async (editor: FarEditor, text: string, onLine?: (line: string) => void): Promise<string[]> =>
    (await editor.newSession())(text).lines(onLine);

  it.each([
    ["streams, plans and edits with permission", "say think plan edit", "approve"],
    ["rejects", "edit", "deny"],
    ["asks", "ask", "right"],
    ["warns", "notice", ""],
    ["fails with the agent's words", "fail", ""],
    ["fails without the words of a bug", "crash", ""],
  ])("%s as the agent itself does", async (__, text, answer) => {
    user.answer = () => answer;
    const [expected, received] = [await shown(editors.direct, text), await shown(editors.gateway, text)];
    expect(settled(expected)).not.toEqual([]);
    expect(settled(received)).toEqual(settled(expected));
  });

  it.each([
    ["while the agent thinks", "say wait", said],
    ["while a tool runs", "tool", /in_progress$/],
  ] as const)("cancels %s", async (__, text, at) => {
    const prompt = await editors.gateway.newSession();
    const turn = prompt(text);
    const lines = await turn.lines((line) => at.test(line) && void turn.cancel());
    expect(lines.at(-1)).toBe("cancelled");
    expect(await prompt("say").lines()).toEqual(["Looking around.", "end_turn"]);
  });

  it("runs two sessions at once", async () => {
    const waiting = (await editors.gateway.newSession())("say wait");
    let onSaid = (): void => {};
    const hasSaid = new Promise<void>((resolve) => (onSaid = resolve));
    const first = waiting.lines((line) => said.test(line) && onSaid());
    await hasSaid;
    expect(await shown(editors.gateway, "say")).toEqual(["Looking around.", "end_turn"]);
    await waiting.cancel();
    expect((await first).at(-1)).toBe("cancelled");
  });

  it("reports an agent that is killed, and starts it again", async () => {
    const editor = await open(gateway, user);
    cleanups.push(() => editor.close());
    const lines = await shown(editor, "say wait", (line) => said.test(line) && killBelow("acpAgent"));
    expect(lines.join("\n")).toContain("The agent behind the gateway has ended");
    expect(await shown(editor, "say")).toEqual(["Looking around.", "end_turn"]);
  });
});

/** The lines without those that depend on when an update is read. */
function settled(lines: readonly string[]): string[] {
  return lines.filter((line) => !/: (pending|waiting|in_progress)$/.test(line));
}

describe("a Kaiak client that is killed", () => {
  it("ends the gateway and its agent", async () => {
    const [command = "", ...args] = commands.kaiakToAcp;
    const gateway = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    cleanups.push(() => gateway.kill("SIGKILL"));
    const exited = once(gateway, "exit");
    const run = { session_id: "s", incidents: [{ id: "1", rule_id: "r", message: "say wait" }] };
    const params = { command: "kaiak/generate_fix", arguments: [run] };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "workspace/executeCommand", params });
    gateway.stdin.write(`Content-Length: ${Buffer.byteLength(call)}\r\n\r\n${call}`);
    for await (const chunk of gateway.stdout) if (String(chunk).includes("Looking around.")) break;
    const agents = below("acpAgent");
    expect(agents.length).toBeGreaterThan(0);
    gateway.stdin.destroy();
    await exited;
    await expect.poll(() => below("acpAgent").filter((pid) => agents.includes(pid))).toEqual([]);
  });
});

const ending = (lines: readonly string[]): string[] => settled(lines).filter((line) => line !== "diff");

describe("an ACP editor, a gateway, a Helix-Zed agent that dials", () => {
  const user: User = {};
  let editor: Editor;
  beforeAll(async () => {
    editor = await acpEditor(commands.acpToHelixZed, user);
  });
  afterAll(() => editor.close());

  it("streams, and shows tool calls, thoughts and plans as the agent can say them", async () => {
    const session = await editor.newSession();
    expect(ending(await session.prompt("say think plan edit title").lines())).toEqual([
      "Looking around.",
      "> Hm.",
      "- [~] Fix it",
      "Edit a.ts: completed",
      "Edited.",
      "end_turn",
    ]);
    await expect.poll(() => editor.list()).toContain("The title");
  });

  it("fails, cancels, and runs two sessions at once", async () => {
    const [one, two] = [await editor.newSession(), await editor.newSession()];
    expect((await one.prompt("fail").lines()).at(-1)).toBe("error: Out of tokens");
    const running = one.prompt("tool");
    const first = running.lines((line) => line.endsWith(": in_progress") && void running.cancel());
    expect(await two.prompt("say").lines()).toEqual(["Looking around.", "end_turn"]);
    expect((await first).at(-1)).toBe("cancelled");
    expect(await one.prompt("say").lines()).toEqual(["Looking around.", "end_turn"]);
  });
});

describe("an ACP editor, a gateway, a Kaiak server", () => {
  const user: User = {};
  let editor: Editor;
  beforeAll(async () => {
    editor = await acpEditor(commands.acpToKaiak, user);
  });
  afterAll(() => editor.close());
  const incidents = (message: string): string => JSON.stringify([{ id: "1", rule_id: "r", message }]);

  it("streams, plans and edits with permission", async () => {
    user.permission = "allow_once";
    const session = await editor.newSession();
    expect(settled(await session.prompt(incidents("say think plan edit")).lines())).toEqual([
      "Looking around.",
      "thought: Hm.",
      "plan: Fix it",
      "diff",
      "Modify a.ts: completed",
      "Edit a.ts: completed",
      "Edited.",
      "plan: Fix it", // its step is completed with the run
      "end_turn",
    ]);
  });

  it("rejects, and asks", async () => {
    user.permission = "reject_once";
    user.answer = "right";
    const session = await editor.newSession();
    const rejected = await session.prompt(incidents("edit")).lines();
    expect(settled(rejected)).toEqual([
      "diff",
      "Modify a.ts: rejected",
      "Edit a.ts: failed",
      "Left as it was.",
      "end_turn",
    ]);
    expect(await session.prompt(incidents("ask")).lines()).toEqual(["Answer: right.", "end_turn"]);
  });

  it("refuses a prompt without incidents, fails with the server's words, and cancels", async () => {
    const session = await editor.newSession();
    expect(await session.prompt("Fix it").lines()).toEqual([
      expect.stringContaining("error: prompt: expected incidents"),
    ]);
    expect((await session.prompt(incidents("fail")).lines()).at(-1)).toBe("error: Out of tokens");
    const running = session.prompt(incidents("say wait"));
    const lines = await running.lines((line) => line === "Looking around." && void running.cancel());
    expect(lines.at(-1)).toBe("cancelled");
  });

  it("reports a server that is killed, and starts it again", async () => {
    const other = await acpEditor(commands.acpToKaiak);
    cleanups.push(() => other.close());
    const session = await other.newSession();
    const lines = await session
      .prompt(incidents("say wait"))
      .lines((line) => line === "Looking around." && killBelow("kaiakServer"));
    expect(lines.at(-1)).toContain("The agent behind the gateway has ended");
    expect(await session.prompt(incidents("say")).lines()).toEqual(["Looking around.", "end_turn"]);
  });
});
