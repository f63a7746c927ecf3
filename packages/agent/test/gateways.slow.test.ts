import { execFileSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { commands } from "./commands.js";
import { acpEditor, ecaEditor, type Editor, type User } from "./editors.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

/** Each editor side, with the agent at once or behind a gateway. */
const paths = {
  "an ACP editor, the agent": { open: acpEditor, command: commands.acpAgent },
  "an ECA editor, the agent": { open: ecaEditor, command: commands.ecaServer },
  "an ECA editor, a gateway, an ACP agent": { open: ecaEditor, command: commands.ecaToAcp },
  "an ACP editor, a gateway, an ECA server": { open: acpEditor, command: commands.acpToEca },
} as const;

describe.each(Object.entries(paths))("%s", (_, { open, command }) => {
  const user: User = {};
  let editor: Editor;
  beforeAll(async () => {
    editor = await open(command, user);
  });
  afterAll(() => editor.close());
  beforeEach(() => {
    Object.assign(user, { permission: "allow_once", answer: undefined });
  });

  /** The lines of one turn, without the steps of a tool call between its beginning and its end. */
  const turn = async (text: string): Promise<string[]> => {
    const session = await editor.newSession();
    const lines = await session.prompt(text).lines();
    return lines.filter((line) => !/: (pending|waiting|in_progress)$/.test(line));
  };

  it("streams, plans, edits with permission, and lists the session", async () => {
    expect(await turn("say think plan edit")).toEqual([
      "Looking around.",
      "thought: Hm.",
      "plan: Fix it",
      "diff",
      "Edit a.ts: completed",
      "Edited.",
      "end_turn",
    ]);
    expect(await editor.list()).toContain("say think plan edit");
  });

  it("rejects", async () => {
    user.permission = "reject_once";
    expect(await turn("edit")).toEqual(["diff", "Edit a.ts: rejected", "Left as it was.", "end_turn"]);
  });

  it("fails with the agent's words, and with no others", async () => {
    const [failed] = await turn("fail");
    expect(failed).toMatch(/^(error: )?Out of tokens$/);
    const [crashed] = await turn("crash");
    expect(crashed).toMatch(/^(error: )?Internal error$/);
  });

  it.each([
    ["before the agent says anything", "wait", undefined],
    ["while the user is asked", "edit", /waiting|pending/],
    ["while a tool runs", "tool", /in_progress/],
  ] as const)("cancels %s", async (__, text, at) => {
    user.permission = "never";
    const session = await editor.newSession();
    const running = session.prompt(text);
    if (at === undefined) void running.cancel();
    const lines = await running.lines((line) => {
      if (at?.test(line) === true) void running.cancel();
    });
    expect(lines.at(-1)).toBe("cancelled");
    expect(await session.prompt("say").lines()).toEqual(["Looking around.", "end_turn"]);
  });

  it("runs two sessions at once", async () => {
    const [one, two] = [await editor.newSession(), await editor.newSession()];
    const waiting = one.prompt("wait");
    const first = waiting.lines();
    expect(await two.prompt("say").lines()).toEqual(["Looking around.", "end_turn"]);
    await waiting.cancel();
    expect(await first).toContain("cancelled");
  });
});

/** Kills the processes whose command line has this text and whose ancestor is this process. */
function killBelow(text: string): void {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const parents = new Map(rows.map((row) => row.trim().split(/\s+/).slice(0, 2).map(Number) as [number, number]));
  const isBelow = (pid: number): boolean => {
    for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at))
      if (at === process.pid) return true;
    return false;
  };
  for (const row of rows) {
    const [pid = "", , ...args] = row.trim().split(/\s+/);
    if (args[1]?.includes(text) === true && isBelow(Number(pid))) process.kill(Number(pid), "SIGKILL");
  }
}

describe.each([
  ["an ECA editor, a gateway, an ACP agent", ecaEditor, commands.ecaToAcp, "acpAgent"],
  ["an ACP editor, a gateway, an ECA server", acpEditor, commands.acpToEca, "ecaServer"],
] as const)("%s", (_, open, command, agent) => {
  it("says that the agent was killed, and starts it again", async () => {
    const editor = await open(command);
    cleanups.push(() => editor.close());
    const session = await editor.newSession();
    const running = session.prompt("say wait");
    const lines = await running.lines((line) => line === "Looking around." && killBelow(agent));
    expect(lines[1]).toMatch(/^(error: )?The agent behind the gateway has ended/);
    const other = await editor.newSession();
    expect(await other.prompt("say").lines()).toEqual(["Looking around.", "end_turn"]);
  });
});
