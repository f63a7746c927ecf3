import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { workspace } from "../../../../core/run/workspace.js";
import { defineCases, type AgentContext } from "../../agent-role.js";

/** How long an agent may release its terminals after the answer. */
const RELEASE_MS = 1_000;
const file = join(workspace, "notes.txt");
const text = "What the editor has, and has not saved – ✓\n";
/** A command that does not end by itself. */
const endless = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };

/** The requests for a method that the agent sent. */
const asked = (t: AgentContext, method: string): unknown[] =>
  t.history().flatMap(({ is }) => (is.kind === "request" && is.method === method ? [is.params] : []));
const idsOf = (all: readonly unknown[]): unknown[] => all.map((one) => (isObject(one) ? one["terminalId"] : undefined));

/** The terminals that the client made (see `serveTerminals`), and that the agent has not released. */
function unreleased(t: AgentContext): string[] {
  const released = new Set(idsOf(asked(t, "terminal/release")));
  return asked(t, "terminal/create")
    .map((_, index) => `terminal-${index + 1}`)
    .filter((id) => !released.has(id));
}

/** The first request about a terminal that was released before. */
function usedReleased(t: AgentContext): unknown {
  const released = new Set<unknown>();
  for (const { is } of t.history()) {
    if (is.kind !== "request" || !is.method.startsWith("terminal/")) continue;
    const [id] = idsOf([is.params]);
    if (released.has(id)) return is;
    if (is.method === "terminal/release") released.add(id);
  }
  return undefined;
}

/** Answers for a terminal whose command ends at once, or when it is killed. */
function serveTerminals(t: AgentContext, ends: boolean): void {
  let count = 0;
  let isOver = ends;
  const status = { exitCode: 0 };
  const waits: unknown[] = [];
  const end = (): { result: unknown } => {
    isOver = true;
    for (const id of waits.splice(0)) t.conversation.reply(id, status);
    return { result: {} };
  };
  t.answer("terminal/create", () => ({ result: { terminalId: `terminal-${++count}` } }));
  t.answer("terminal/output", () => ({ result: { output: "done\n", truncated: false, exitStatus: status } }));
  t.answer("terminal/wait_for_exit", (_params, id) => (isOver ? { result: status } : void waits.push(id)));
  t.answer("terminal/kill", end);
  t.answer("terminal/release", end);
}

/** Makes the agent work on files and run commands, and checks what it must not ask the client for. */
async function judgeUnoffered(t: AgentContext, files: readonly string[]): Promise<void> {
  const session = await t.session();
  writeFileSync(file, text);
  t.permit("reject_once");
  for (const behavior of ["read-file", "write-file", "terminal"])
    await t.prompt(session, t.say(behavior, { path: file, content: text, command: "true" })).response();
  for (const [req, methods] of [
    ["ACP-SERVICE-001", files],
    ["ACP-SERVICE-002", ["terminal/create"]],
  ] as const) {
    const actual = methods.flatMap((method) => asked(t, method));
    t.check(req, actual.length === 0, { expected: `no ${methods.join(" and no ")}`, actual });
  }
}

/** Cases about an agent's use of a client's services. */
export const serviceCases: readonly Case[] = defineCases({
  "services.files": {
    title: "the client offers its files",
    emits: ["ACP-FS-007"],
    needs: ["read-file", "write-file"],
    isolation: "connection",
    async run(t) {
      await t.initialize({ fs: { readTextFile: true, writeTextFile: true } });
      t.answer("fs/read_text_file", () => ({ result: { content: text } }));
      t.answer("fs/write_text_file", () => ({ result: {} }));
      const session = await t.session();
      writeFileSync(file, text);
      for (const behavior of ["read-file", "write-file"])
        await t.prompt(session, t.say(behavior, { path: file, content: text })).response();
      const all = [...asked(t, "fs/read_text_file"), ...asked(t, "fs/write_text_file")];
      t.needs(all.length > 0, "the agent does not use the client's files");
      const paths = all.map((params) => (isObject(params) ? params["path"] : undefined));
      t.check("ACP-FS-007", paths.includes(file), { expected: file, actual: paths });
      await t.require("ACP-FS-007", t.alive());
    },
  },
  "services.terminal": {
    title: "the client offers terminals",
    emits: ["ACP-TERM-011", "ACP-TERM-013"],
    needs: ["terminal"],
    isolation: "connection",
    async run(t) {
      await t.initialize({ terminal: true });
      serveTerminals(t, true);
      const turn = t.prompt(await t.session(), t.say("terminal", { command: "echo", args: ["done"] }));
      await turn.response();
      t.needs(asked(t, "terminal/create").length > 0, "the agent does not use the client's terminals");
      await t.pace(unreleased(t).length > 0 ? RELEASE_MS : 0);
      t.check("ACP-TERM-011", unreleased(t).length === 0, {
        message: "the turn is over",
        expected: "every terminal is released",
        actual: unreleased(t),
      });
      const late = usedReleased(t);
      t.check("ACP-TERM-013", late === undefined, { expected: "no use of a terminal that was released", actual: late });
    },
  },
  "services.killed-terminal": {
    title: "a turn is canceled while its command runs",
    emits: ["ACP-CANCEL-013", "ACP-TERM-011"],
    needs: ["terminal"],
    isolation: "connection",
    async run(t) {
      await t.initialize({ terminal: true });
      serveTerminals(t, false);
      const session = await t.session();
      const turn = t.prompt(session, t.say("terminal", endless));
      const started = t.expect.request("terminal/create").then(() => true);
      const uses = await Promise.race([started, turn.response().then(() => false)]);
      started.catch(() => {});
      t.needs(uses, "the agent does not use the client's terminals");
      t.send.notify("session/cancel", { sessionId: session.id });
      await t.require("ACP-CANCEL-013", turn.response());
      await t.pace(unreleased(t).length > 0 ? RELEASE_MS : 0);
      t.check("ACP-TERM-011", unreleased(t).length === 0, {
        message: "the turn was canceled",
        expected: "every terminal is released",
        actual: unreleased(t),
      });
    },
  },
  ...defineCases.each(["read", "write"] as const, (offered) => ({
    [`services.only-${offered}`]: {
      title: `the client lets the agent ${offered} files, and declines the rest`,
      emits: ["ACP-SERVICE-001", "ACP-SERVICE-002"],
      needs: ["read-file", "write-file", "terminal"],
      isolation: "connection",
      async run(t) {
        const fs = { readTextFile: offered === "read", writeTextFile: offered === "write" };
        await t.initialize({ fs, terminal: false });
        t.answer("fs/read_text_file", () => ({ result: { content: text } }));
        t.answer("fs/write_text_file", () => ({ result: {} }));
        await judgeUnoffered(t, offered === "read" ? ["fs/write_text_file"] : ["fs/read_text_file"]);
      },
    },
  })),
  "services.unoffered": {
    title: "an agent works on files and runs commands for a client that offers neither",
    emits: ["ACP-SERVICE-001", "ACP-SERVICE-002"],
    needs: ["read-file", "write-file", "terminal"],
    run: (t) => judgeUnoffered(t, ["fs/read_text_file", "fs/write_text_file"]),
  },
});
