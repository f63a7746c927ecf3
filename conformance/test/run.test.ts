import { describe, expect, test } from "vitest";
import { type Case, memoryTarget, runConformance, type RunOptions, where } from "../src/index.js";
import { UsageError } from "../src/core/errors.js";
import { pong, toy, toyCase, toyServer } from "./toy.js";

const run = (cases: readonly Case[], options: Partial<RunOptions> = {}, answer = pong) =>
  runConformance({
    protocol: toy(cases),
    role: "server",
    target: memoryTarget(toyServer(answer)),
    timeScale: 0.05,
    seed: 1,
    ...options,
  });
const good = toyCase("good", ["TOY-MUST"], (t) => t.pass("TOY-MUST"));
const verdicts = (report: Awaited<ReturnType<typeof run>>, id: string) =>
  Object.fromEntries(
    report.cases
      .find((one) => one.id === `toy.server.${id}`)
      ?.checks.filter(({ source }) => source === "case")
      .map(({ req, verdict }) => [req, verdict]) ?? [],
  );

describe("verdicts", () => {
  test("a must that holds is conformant", async () => {
    const report = await run([good]);
    expect(report).toMatchObject({ outcome: "conformant", exitCode: 0, totals: { cases: { pass: 2 } } });
    expect(report.requirements.find(({ id }) => id === "TOY-MUST")?.status).toBe("pass");
    expect(report.requirements.find(({ id }) => id === "TOY-MUST-2")?.status).toBe("untested");
  });

  test.each([
    ["TOY-MUST", "fail", "violated", 1],
    ["TOY-SHOULD", "warn", "conformant", 0],
    ["TOY-MAY", "info", "conformant", 0],
  ])("a violated %s is %s, and the run %s", async (req, verdict, outcome, exitCode) => {
    const report = await run([
      good,
      toyCase("bad", [req], (t) => void t.check(req, false, { expected: "a", actual: "b" })),
    ]);
    expect(verdicts(report, "bad")).toEqual({ [req]: verdict });
    expect(report).toMatchObject({ outcome, exitCode });
  });

  test("strict makes a violated should a violation", async () => {
    const report = await run([good, toyCase("bad", ["TOY-SHOULD"], (t) => void t.check("TOY-SHOULD", false))], {
      strict: true,
    });
    expect(report).toMatchObject({ outcome: "violated", exitCode: 1 });
  });

  test("judging twice keeps the worst, with its findings", async () => {
    const report = await run([
      toyCase("twice", ["TOY-MUST"], (t) => {
        t.check("TOY-MUST", true);
        t.check("TOY-MUST", false, { actual: "first" });
        t.check("TOY-MUST", false, { actual: "second" });
      }),
    ]);
    expect(report.cases.at(-1)?.checks.find(({ req }) => req === "TOY-MUST")).toMatchObject({
      verdict: "fail",
      actual: "first",
      count: 3,
    });
  });
});

describe("what was not judged", () => {
  test("zero checks are never green", async () => {
    expect(await run([toyCase("nothing", [], () => {})])).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  });

  test("checks of a should alone are not green", async () => {
    expect(await run([toyCase("should", ["TOY-SHOULD"], (t) => t.pass("TOY-SHOULD"))])).toMatchObject({ exitCode: 3 });
  });

  test("a case that breaks off behind its last check is blocked", async () => {
    const report = await run([
      good,
      toyCase("breaks", ["TOY-MUST-2"], async (t) => {
        t.pass("TOY-MUST-2");
        await t.expect.notify("note");
      }),
    ]);
    expect(verdicts(report, "breaks")).toEqual({ "TOY-MUST-2": "blocked" });
    expect(report.outcome).toBe("incomplete");
  });

  test("a declared check that is missing is blocked, and the run incomplete", async () => {
    const report = await run([toyCase("forgets", ["TOY-MUST", "TOY-MUST-2"], (t) => t.pass("TOY-MUST"))]);
    expect(verdicts(report, "forgets")).toEqual({ "TOY-MUST": "pass", "TOY-MUST-2": "blocked" });
    expect(report).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  });

  test("a case that does not apply is not a failure, but alone it is not green", async () => {
    const none = toyCase("none", ["TOY-MUST"], (t) => t.notApplicable("the target does not claim it"));
    expect(verdicts(await run([none]), "none")).toEqual({ "TOY-MUST": "not-applicable" });
    expect(await run([none])).toMatchObject({ exitCode: 3 });
    expect(await run([none, good])).toMatchObject({ exitCode: 0 });
  });

  test("what the monitors saw does not make such a case pass, but may make it fail", async () => {
    const asks = toyCase("asks", ["TOY-MUST"], async (t) => {
      await t.send.request("ping", {}).result();
      t.notApplicable("the target does not claim it");
    });
    const report = await run([asks]);
    expect(report.cases.at(-1)).toMatchObject({ verdict: "not-applicable" });
    expect(report.cases.at(-1)?.checks).toContainEqual(expect.objectContaining({ source: "monitor", verdict: "pass" }));
    const twice = (message: Record<string, unknown>) => [...pong(message), ...pong(message)];
    expect((await run([asks], {}, twice)).cases.at(-1)).toMatchObject({ verdict: "fail" });
  });

  test("a wait that fails outside of require blocks what is left; within it, it fails", async () => {
    const waits = toyCase("waits", ["TOY-MUST"], async (t) => void (await t.expect.notify("note")));
    expect(verdicts(await run([waits]), "waits")).toEqual({ "TOY-MUST": "blocked" });
    const requires = toyCase(
      "requires",
      ["TOY-MUST", "TOY-MUST-2"],
      async (t) => void (await t.require("TOY-MUST", t.expect.notify("note"))),
    );
    const report = await run([requires]);
    expect(verdicts(report, "requires")).toEqual({ "TOY-MUST": "fail", "TOY-MUST-2": "blocked" });
    expect(report.exitCode).toBe(1);
    expect(report.cases.at(-1)?.checks.find(({ verdict }) => verdict === "fail")).toMatchObject({
      expected: "notification note",
      actual: "nothing",
    });
  });

  test("a behavior that the target lacks blocks the case", async () => {
    const report = await run([toyCase("needs", ["TOY-MUST"], (t) => void t.say("tool-ok"))]);
    expect(verdicts(report, "needs")).toEqual({ "TOY-MUST": "blocked" });
  });
});

describe("the suite's own faults", () => {
  test.each<[string, Case]>([
    ["a check that is not declared", toyCase("undeclared", ["TOY-MUST"], (t) => t.pass("TOY-MUST", "TOY-MUST-2"))],
    ["a requirement that is not there", toyCase("unknown", ["TOY-NONE"], (t) => t.pass("TOY-NONE"))],
    ["an exception", toyCase("throws", ["TOY-MUST"], () => Promise.reject(new TypeError("oops")))],
    ["an invalid message from the suite", toyCase("sends", ["TOY-MUST"], (t) => t.send.notify("note", { text: 1 }))],
  ])("%s is a harness error and outranks a violation", async (_name, one) => {
    const bad = toyCase("bad", ["TOY-MUST"], (t) => void t.check("TOY-MUST", false));
    const report = await run([good, bad, one]).catch((error: unknown) => error);
    if (report instanceof Error) expect(report.name).toBe("HarnessError");
    else expect(report).toMatchObject({ outcome: "harness-error", exitCode: 70 });
  });

  test("a message that is wrong on purpose is not", async () => {
    const report = await run([
      toyCase("invalid", ["TOY-MUST"], async (t) => {
        await t.require(
          "TOY-MUST",
          t.send.invalid({ jsonrpc: "2.0", id: t.conversation.freshId(), method: "ping", params: 3 }).response(),
        );
      }),
    ]);
    expect(report.exitCode).toBe(0);
  });
});

describe("monitors", () => {
  const calls = toyCase(
    "calls",
    ["TOY-MUST"],
    async (t) => void (await t.require("TOY-MUST", t.send.request("ping", {}).result({ pong: true }))),
  );

  test("what they see fails the case that runs, whatever the case thinks", async () => {
    const twice = (message: Record<string, unknown>) => [...pong(message), ...pong(message)];
    const report = await run([calls], {}, twice);
    expect(report.exitCode).toBe(1);
    expect(
      report.cases
        .flatMap(({ checks }) => checks)
        .filter(({ verdict }) => verdict === "fail")
        .map(({ id }) => id),
    ).toContain("toy.rpc.response#TOY-ONCE");
  });

  test("a message that nobody could go on from ends every wait at once", async () => {
    const start = performance.now();
    const asText = ({ id, method }: Record<string, unknown>) => [
      { jsonrpc: "2.0", id: method === "ping" ? String(id) : id, result: { pong: true } },
    ];
    const report = await run([calls], { timeScale: 10 }, asText);
    expect(report.exitCode).toBe(1);
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(verdicts(report, "calls")).toEqual({ "TOY-MUST": "blocked" });
  });

  test("an answer that does not fit its schema ends the wait, and does not fail the case's requirement", async () => {
    const report = await run([calls], { timeScale: 10 }, ({ id }) => [{ jsonrpc: "2.0", id, result: { pong: "yes" } }]);
    expect(verdicts(report, "calls")).toEqual({ "TOY-MUST": "blocked" });
  });
});

describe("conversations", () => {
  test("patterns look anywhere in what came, and take each message once", async () => {
    const noted = (message: Record<string, unknown>) => [note("b"), note("a"), ...pong(message), note("a")];
    const report = await run(
      [
        toyCase(
          "notes",
          ["TOY-MUST"],
          async (t) => {
            await t.send.request("ping", {}).result();
            await t.expect.notify("note", { text: "a" });
            await t.expect.notify("note", { text: /^b$/ });
            await t.expect.notify("note", { text: where("an a", (text: unknown) => text === "a") });
            t.check("TOY-MUST", t.rest("note").length === 0, { actual: t.rest("note") });
          },
          { isolation: "connection" },
        ),
      ],
      {},
      noted,
    );
    expect(report.exitCode).toBe(0);
  });

  test("quiet fails with the message that broke it", async () => {
    const report = await run([
      toyCase("quiet", ["TOY-MUST", "TOY-MUST-2"], async (t) => {
        const call = t.send.request("ping", {});
        await t.require("TOY-MUST", t.quiet(50, { method: "note" }));
        await call.result();
        void t.send.request("ping", {});
        await t.require("TOY-MUST-2", t.quiet(50));
      }),
    ]);
    expect(verdicts(report, "quiet")).toEqual({ "TOY-MUST": "pass", "TOY-MUST-2": "fail" });
  });

  test("what still waits when a case ends does not end the process", async () => {
    const report = await run([
      toyCase("leaves", ["TOY-MUST"], (t) => {
        void t.expect.notify("note");
        void t.send.request("ping", {}).result({ pong: false });
        t.pass("TOY-MUST");
      }),
      good,
    ]);
    expect(report.exitCode).toBe(0);
  });

  test("a connection with an open request is not given to the next case", async () => {
    const silent = ({ id, params }: Record<string, unknown>) =>
      params && Object.keys(params).length > 0 ? [] : pong({ id });
    const report = await run(
      [
        toyCase("leaves", ["TOY-MUST"], (t) => {
          void t.send.request("ping", { quiet: true });
          t.pass("TOY-MUST");
        }),
        toyCase("next", ["TOY-MUST"], (t) => void t.check("TOY-MUST", t.conversation.open.size === 0)),
      ],
      { jobs: 1 },
      silent,
    );
    expect(report.exitCode).toBe(0);
  });
});

describe("a connection that cases share", () => {
  test("is past its handshake before a case has it, whichever of them comes first", async () => {
    const seen: unknown[] = [];
    const looks = (name: string, more: Partial<Case> = {}) =>
      toyCase(
        name,
        ["TOY-MUST"],
        (t) => {
          seen.push(t.conversation.handshake !== undefined);
          t.pass("TOY-MUST");
        },
        more,
      );
    await run([looks("a"), looks("b"), looks("c")], { jobs: 3 });
    expect(seen).toEqual([true, true, true]);
    await run([looks("own", { isolation: "connection" })]);
    expect(seen.at(-1)).toBe(false);
  });
});

const note = (text: string): unknown => ({ jsonrpc: "2.0", method: "note", params: { text } });

describe("options", () => {
  test.each<[string, Partial<RunOptions>]>([
    ["an unknown role", { role: "nobody" }],
    ["an unknown profile", { profile: "none" }],
    ["a filter that matches nothing", { filter: ["toy.nothing.*"] }],
    ["a requirement that nobody judges", { requirements: ["TOY-NONE*"] }],
    ["nothing left", { skip: ["*"] }],
    ["an unknown fault", { faults: ["rain"] }],
  ])("%s is a usage error", async (_name, options) => {
    await expect(run([good], options)).rejects.toBeInstanceOf(UsageError);
  });

  test("the seed decides what is random", async () => {
    const numbers: number[] = [];
    const one = toyCase("random", ["TOY-MUST"], (t) => {
      numbers.push(t.random());
      t.pass("TOY-MUST");
    });
    for (const seed of [7, 7, 8]) await run([one], { seed });
    expect(numbers[0]).toBe(numbers[1]);
    expect(numbers[0]).not.toBe(numbers[2]);
  });

  test("an aborted run is interrupted and reports what it has", async () => {
    const abort = new AbortController();
    const stops = toyCase("stops", ["TOY-MUST"], (t) => {
      abort.abort();
      t.pass("TOY-MUST");
    });
    const report = await run([stops, good, toyCase("more", ["TOY-MUST"], (t) => t.pass("TOY-MUST"))], {
      jobs: 1,
      signal: abort.signal,
    });
    expect(report).toMatchObject({ outcome: "interrupted", exitCode: 130 });
    expect(report.cases.map(({ id }) => id)).toEqual(["calibration", "toy.server.stops"]);
  });

  test("bail stops after the given number of failures", async () => {
    const bad = (name: string) => toyCase(name, ["TOY-MUST"], (t) => void t.check("TOY-MUST", false));
    const report = await run([bad("a"), bad("b"), bad("c")], { jobs: 1, bail: 2 });
    expect(report.totals.cases.fail).toBe(2);
  });
});

test("cases that need a behavior which the target does not have are left out", async () => {
  const needy = ["a", "b", "c", "d", "e", "f"].map((name) =>
    toyCase(name, ["TOY-SHOULD"], (t) => t.pass("TOY-SHOULD"), { needs: ["tool-ok"] }),
  );
  const report = await run([...needy, good], { jobs: 1 });
  expect(report.notJudged?.cases).toContain("toy.server.a");
  expect(verdicts(report, "good")).toEqual({ "TOY-MUST": "pass" });
  expect(report.exitCode).toBe(0);
});
