import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Script } from "@editwire/conformance/model";
import { describe, expect, it } from "vitest";
import { openBench } from "./support/bench.js";
import { callsOf, fakeTurn, textOf } from "./support/fake-turn.js";
import { lifeline } from "./support/lifeline.js";
import { sampleCopy, tempFolder } from "./support/temp-folder.js";

const FIXED = "return a.from < b.to && b.from < a.to;";
const call = (name: string, args: Record<string, unknown>) => ({ name, args });
const stay = (cwd: string) => readFile(join(cwd, "src/stay.js"), "utf8");

/** A model that makes one call and says what came back. */
const tryOnce = (name: string, args: Record<string, unknown>): Script =>
  function* () {
    const [use] = yield { calls: [call(name, args)] };
    yield { say: use?.result ?? "" };
  };

describe("a turn", () => {
  it("works through the whole job, shows all of it, and asks before it runs or writes", async () => {
    const cwd = await sampleCopy();
    const bench = await openBench(cwd);
    const turn = fakeTurn();
    expect(await bench.prompt("Fix the failing test.", turn)).toBe("end_turn");

    expect(await stay(cwd)).toContain(FIXED);
    expect(callsOf(turn)).toEqual([
      "List the files: completed",
      "Run node --test: failed",
      "Read test/calendar.test.js: completed",
      "Read src/calendar.js: completed",
      "Search \\boverlaps\\b: completed",
      "Read src/stay.js: completed",
      "Edit src/stay.js: completed",
      "Run node --test: completed",
    ]);
    expect(textOf(turn)).toMatch(/All 11 tests pass now/);
    expect(turn.shown.filter(({ type }) => type === "text").length).toBeGreaterThan(20);
    expect(turn.shown.some(({ type }) => type === "thought")).toBe(true);
    const plans = turn.shown.flatMap((item) => (item.type === "plan" ? [item.entries] : []));
    expect(plans.at(-1)?.map(({ status }) => status)).toEqual(["completed", "completed", "completed", "completed"]);

    expect(turn.asked.map(({ title, kind }) => [title, kind])).toEqual([
      ["Run node --test", "execute"],
      ["Edit src/stay.js", "edit"],
      ["Run node --test", "execute"],
    ]);
    const path = join(cwd, "src/stay.js");
    expect(turn.asked[1]).toMatchObject({
      status: "waiting",
      locations: [{ path }],
      input: { path: "src/stay.js", new_text: FIXED },
      contents: [
        { type: "diff", path, oldText: expect.stringContaining("<="), newText: expect.stringContaining(FIXED) },
      ],
    });
  });

  it.each([
    ["edit_file", { path: "a.txt", old_text: "a", new_text: "b" }],
    ["write_file", { path: "a.txt", content: "b" }],
    ["run_command", { argv: ["touch", "made"] }],
  ])("does nothing when the user rejects %s, and tells the model", async (name, args) => {
    const cwd = await tempFolder({ "a.txt": "a" });
    const turn = fakeTurn({ allow: () => false });
    expect(await (await openBench(cwd, { script: tryOnce(name, args) })).prompt("Go", turn)).toBe("end_turn");
    expect(textOf(turn)).toMatch(/^The user rejected this call/);
    expect(callsOf(turn)).toEqual([expect.stringMatching(/: rejected$/)]);
    expect(turn.asked.length).toBe(1);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("a");
    await expect(readFile(join(cwd, "made"))).rejects.toThrow("ENOENT");
  });

  it("keeps the conversation for the next prompt", async () => {
    const script: Script = function* ({ earlier }) {
      if (earlier.length === 0) yield { calls: [call("list_files", {})] };
      yield { say: `I listed ${earlier[0]?.result ?? "nothing before"}.` };
    };
    const bench = await openBench(await tempFolder({ "a.txt": "a" }), { script });
    await bench.prompt("First", fakeTurn());
    const turn = fakeTurn();
    await bench.prompt("Second", turn);
    expect(textOf(turn)).toBe("I listed a.txt.");
  });

  it.each([
    ["an unknown tool", "fly", {}, /^Error: The tool fly does not exist/],
    ["arguments that do not fit", "read_file", { path: 1 }, /^Error: The arguments of read_file do not fit/],
    ["a path outside", "read_file", { path: "../x" }, /^Error: \.\.\/x is outside the workspace/],
    ["a file in place of a folder", "read_file", { path: "a/b" }, /^Error: Cannot open a\/b: ENOTDIR/],
    ["a program that is not there", "run_command", { argv: ["no-such-program"] }, /^Error: Cannot run no-such-program/],
  ])("tells the model of %s", async (_case, name, args, message) => {
    const turn = fakeTurn();
    expect(
      await (await openBench(await tempFolder({ a: "" }), { script: tryOnce(name, args) })).prompt("Go", turn),
    ).toBe("end_turn");
    expect(textOf(turn)).toMatch(message);
  });

  it("ends after as many answers as are allowed", async () => {
    const script: Script = function* () {
      for (;;) yield { calls: [call("list_files", {})] };
    };
    const warnings: Error[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning);
    process.on("warning", onWarning);
    const bench = await openBench(await tempFolder(), { script, maxRounds: 15 });
    expect(await bench.prompt("Go", fakeTurn())).toBe("max_turn_requests");
    process.off("warning", onWarning);
    expect(bench.model.requests.length).toBe(15);
    expect(warnings).toEqual([]); // no listeners gather on the turn's signal
  });

  it("ends as the model's answer does", async () => {
    const ends: Record<string, "length" | "content_filter"> = { long: "length", bad: "content_filter" };
    const script: Script = function* ({ prompt }) {
      yield { say: "Once upon", calls: prompt === "long" ? [call("list_files", {})] : [], finish: ends[prompt] };
    };
    const bench = await openBench(await tempFolder(), { script });
    const turn = fakeTurn();
    expect(await bench.prompt("long", turn)).toBe("max_tokens");
    expect(callsOf(turn)).toEqual([]);
    expect(await bench.prompt("bad", fakeTurn())).toBe("refusal");
    expect(await bench.prompt("fine", fakeTurn())).toBe("end_turn");
    expect(await bench.prompt("and on", fakeTurn())).toBe("end_turn");
    expect(bench.told()).toEqual([
      ...["user: long", "assistant: Once upon", "user: fine", "assistant: Once upon", "user: and on"],
    ]);
  });
});

describe("modes", () => {
  it.each([
    ["read-only", ["update_plan", "ask_user", "list_files", "read_file", "search"]],
    ["sandbox", ["update_plan", "ask_user"]],
  ])("%s offers the model only what it allows", async (modeId, names) => {
    const bench = await openBench(await tempFolder(), {
      modeId,
      script: tryOnce("update_plan", { entries: [{ content: "x", status: "pending" }] }),
    });
    await bench.prompt("Go", fakeTurn());
    expect(bench.model.requests[0]?.conversation.tools.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ["read-only", "edit_file", { path: "a.txt", old_text: "a", new_text: "b" }],
    ["read-only", "write_file", { path: "a.txt", content: "b" }],
    ["read-only", "run_command", { argv: ["touch", "made"] }],
    ["safe", "run_command", { argv: ["touch", "made"] }],
    ["sandbox", "read_file", { path: "a.txt" }],
    ["sandbox", "write_file", { path: "a.txt", content: "b" }],
    ["no-such-mode", "read_file", { path: "a.txt" }],
  ])("%s refuses %s to a model that calls it all the same, without asking", async (modeId, name, args) => {
    const cwd = await tempFolder({ "a.txt": "a" });
    const turn = fakeTurn();
    await (await openBench(cwd, { modeId, script: tryOnce(name, args) })).prompt("Go", turn);
    expect(textOf(turn)).toBe(`Error: The session's mode "${modeId}" does not allow ${name}`);
    expect(turn.asked).toEqual([]);
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("a");
    await expect(readFile(join(cwd, "made"))).rejects.toThrow("ENOENT");
  });

  it("safe writes after asking", async () => {
    const cwd = await sampleCopy();
    const turn = fakeTurn();
    await (await openBench(cwd, { modeId: "safe" })).prompt("Fix the failing test.", turn);
    expect(turn.asked.map(({ kind }) => kind)).toEqual(["edit"]);
    expect(await stay(cwd)).toContain(FIXED);
  });

  it("may change while the user is asked", async () => {
    const cwd = await tempFolder({ "a.txt": "a" });
    const bench = await openBench(cwd, { script: tryOnce("write_file", { path: "a.txt", content: "b" }) });
    const turn = fakeTurn({ allow: async () => (await bench.session.setMode("read-only"), true) });
    await bench.prompt("Go", turn);
    expect(textOf(turn)).toBe('Error: The session\'s mode "read-only" does not allow write_file');
    expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("a");
  });

  it("may change while a turn runs", async () => {
    const cwd = await sampleCopy();
    const before = await stay(cwd);
    const bench = await openBench(cwd);
    const turn = fakeTurn({ onCall: () => void bench.session.setMode("read-only") });
    await bench.prompt("Fix the failing test.", turn);
    expect(await stay(cwd)).toBe(before);
    expect(textOf(turn)).toContain(`+ ${FIXED}`);
  });
});

describe("a cancel", () => {
  it("in the middle of an answer stops the model, and keeps what it said", async () => {
    const script: Script = function* ({ prompt }) {
      yield { say: prompt === "Go" ? "word ".repeat(10_000) : "Yes?" };
    };
    const bench = await openBench(await tempFolder(), { script, chunkDelayMs: 5 });
    const turn = fakeTurn({ onText: (_text, { controller }) => controller.abort() });
    expect(await bench.prompt("Go", turn)).toBe("cancelled");
    await expect(bench.model.requests[0]?.ended).resolves.toBe("aborted");
    expect(await bench.prompt("Still there?", fakeTurn())).toBe("end_turn");
    expect(bench.told()).toEqual(["user: Go", "assistant: word", "user: Still there?"]);
  });

  it("ends a running program", async () => {
    const { code, started, ended } = await lifeline();
    const argv = [process.execPath, "-e", `${code} setInterval(() => {}, 1e6)`];
    const run = tryOnce("run_command", { argv, timeout_seconds: 600 });
    const script: Script = function* (turn) {
      if (turn.prompt === "Go") yield* run(turn);
      else yield { say: "Yes?" };
    };
    const bench = await openBench(await tempFolder(), { script });
    const turn = fakeTurn();
    const stopReason = bench.prompt("Go", turn);
    await started;
    turn.controller.abort();
    expect(await stopReason).toBe("cancelled");
    await ended;
    expect(await bench.prompt("Still there?", fakeTurn())).toBe("end_turn");
    expect(bench.told()).toContain("tool: This call was cancelled.");
  });

  it("while the user is asked changes nothing, and every call gets its result", async () => {
    const cwd = await tempFolder();
    const script: Script = function* ({ prompt }) {
      if (prompt !== "Go") return void (yield { say: "Yes?" });
      yield {
        calls: [call("write_file", { path: "a", content: "x" }), call("write_file", { path: "b", content: "x" })],
      };
    };
    const bench = await openBench(cwd, { script });
    const turn = fakeTurn({ allow: (_call, { controller }) => (controller.abort(), true) });
    expect(await bench.prompt("Go", turn)).toBe("cancelled");
    await expect(readFile(join(cwd, "a"))).rejects.toThrow("ENOENT");
    expect(await bench.prompt("Still there?", fakeTurn())).toBe("end_turn");
    expect(bench.told().map((text) => text.split(":", 1)[0])).toEqual(["user", "assistant", "tool", "tool", "user"]);
  });

  it("before the turn asks the model nothing", async () => {
    const bench = await openBench(await tempFolder());
    const turn = fakeTurn();
    turn.controller.abort();
    expect(await bench.prompt("Go", turn)).toBe("cancelled");
    expect(bench.model.requests).toEqual([]);
  });
});
