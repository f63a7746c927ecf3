import { describe, expect, test } from "vitest";
import { type Case, memoryTarget, runConformance, type Target } from "../src/index.js";
import { TargetError } from "../src/wire/link.js";
import { pong, toy, toyCase, toyServer } from "./toy.js";

/** A target in memory that passes for a process, and counts its starts. */
function counting(transport: string, answer = pong) {
  const started: string[] = [];
  const memory = memoryTarget(toyServer(answer));
  const target: Target = {
    ...memory,
    transport,
    async open(options) {
      started.push(options.framing);
      return { ...(await memory.open(options)), transport };
    },
  };
  return { started, target };
}

const run = (cases: readonly Case[], target: Target) =>
  runConformance({ protocol: toy(cases), role: "server", target, timeScale: 0.05, seed: 1, jobs: 1 });
const pings = (name: string, more: Partial<Case> = {}) =>
  toyCase(
    name,
    ["TOY-MUST"],
    async (t) => void (await t.require("TOY-MUST", t.send.request("ping", {}).result())),
    more,
  );

/** A target in memory that refuses a connection while another one is open. */
function single() {
  const memory = memoryTarget(toyServer(pong));
  let isTaken = false;
  return {
    ...memory,
    async open(options) {
      if (isTaken) throw new TargetError("busy");
      isTaken = true;
      const link = await memory.open(options);
      const close = (): Promise<void> => link.close().then(() => void (isTaken = false));
      return { ...link, close };
    },
  } satisfies Target;
}

test("a target that accepts one connection at a time is judged, one case after another", async () => {
  const cases = ["a", "b", "c", "d"].flatMap((name) => [
    pings(`${name}-shared`),
    pings(`${name}-own`, { isolation: "connection" }),
  ]);
  const report = await runConformance({ protocol: toy(cases), role: "server", target: single(), seed: 1, jobs: 2 });
  expect(report.cases.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(report.exitCode).toBe(0);
});

test("a further connection that a requirement promises fails it when it is refused", async () => {
  const second = toyCase("second", ["TOY-MUST"], async (t) => void (await t.require("TOY-MUST", t.connect())));
  const report = await runConformance({ protocol: toy([second]), role: "server", target: single(), seed: 1 });
  expect(report.cases.at(-1)).toMatchObject({ verdict: "fail", reason: "TOY-MUST: busy" });
});

describe("processes", () => {
  test("rough cases follow each other on one, which is not that of the others", async () => {
    const { started, target } = counting("stdio");
    const rough = ["a", "b", "c"].map((name) => pings(name, { isolation: "rough" }));
    const report = await run([pings("plain"), ...rough, pings("last")], target);
    expect(report.exitCode).toBe(0);
    expect(started).toHaveLength(2);
  });

  test("elsewhere each of them has a connection of its own", async () => {
    const { started, target } = counting("memory");
    await run(
      ["a", "b", "c"].map((name) => pings(name, { isolation: "rough" })),
      target,
    );
    expect(started).toHaveLength(4);
  });

  test("cases of another framing share one of that framing", async () => {
    const { started, target } = counting("stdio");
    const cases = ["a", "b"].map((name) => pings(name, { isolation: "rough", framing: "header" }));
    expect((await run(cases, target)).exitCode).toBe(0);
    expect(started).toEqual(["line", "header"]);
  });

  test("cases before the handshake share one until a request has a result", async () => {
    const { started, target } = counting("stdio");
    const seen: unknown[] = [];
    const looks = (name: string) =>
      toyCase(
        name,
        ["TOY-MUST"],
        (t) => {
          seen.push(t.conversation.handshake);
          t.pass("TOY-MUST");
        },
        { isolation: "unopened" },
      );
    await run([looks("a"), looks("b"), pings("opens", { isolation: "unopened" }), looks("c")], target);
    expect(seen).toEqual([undefined, undefined, undefined]);
    expect(started).toHaveLength(3);
  });
});

describe("a rough case that did not pass after others", () => {
  const disturbs = () => {
    let first = true;
    return toyCase(
      "later",
      ["TOY-MUST"],
      (t) => {
        t.check("TOY-MUST", !first || t.conversation.handshake === undefined);
        first = false;
      },
      { isolation: "rough" },
    );
  };

  test("is repeated on a process of its own, whose verdict counts", async () => {
    const { started, target } = counting("stdio");
    const report = await run([pings("before", { isolation: "rough" }), disturbs()], target);
    expect(report.exitCode).toBe(0);
    expect(started).toHaveLength(3);
  });

  test("counts when it is wrong there, too", async () => {
    const { target } = counting("stdio");
    const wrong = toyCase("wrong", ["TOY-MUST"], (t) => void t.check("TOY-MUST", false), { isolation: "rough" });
    const report = await run([pings("before", { isolation: "rough" }), wrong], target);
    expect(report.cases.find(({ id }) => id === "toy.server.wrong")?.verdict).toBe("fail");
    expect(report.exitCode).toBe(1);
  });

  test("is not repeated when it was the first on its process", async () => {
    const { started, target } = counting("stdio");
    await run([disturbs()], target);
    expect(started).toHaveLength(2);
  });
});

test("a bystander is an idle process of other cases", async () => {
  const { started, target } = counting("stdio");
  const watches = toyCase(
    "watches",
    ["TOY-MUST"],
    async (t) => {
      const other = await t.bystander();
      await t.require("TOY-MUST", other.send.request("ping", {}).result());
    },
    { isolation: "connection" },
  );
  const report = await run([pings("plain"), watches, pings("last")], target);
  expect(report.exitCode).toBe(0);
  expect(started).toHaveLength(2);
});

describe("cases that end their process", () => {
  const ends = (name: string, seen: unknown[] = []) =>
    toyCase(
      name,
      ["TOY-MUST"],
      async (t) => {
        seen.push(t.conversation.handshake !== undefined);
        await t.handshake();
        await t.hangUp();
        t.pass("TOY-MUST");
      },
      { isolation: "last" },
    );

  test("come behind all others, and end the processes of those", async () => {
    const { started, target } = counting("stdio");
    const seen: unknown[] = [];
    const report = await run(
      [ends("a", seen), pings("plain"), pings("rough", { isolation: "rough" }), ends("b", seen), ends("c", seen)],
      target,
    );
    expect(report.exitCode).toBe(0);
    expect(report.cases.map(({ id }) => id.replace("toy.server.", ""))).toEqual([
      "calibration",
      "a",
      "plain",
      "rough",
      "b",
      "c",
    ]);
    expect(seen).toEqual([true, true, false]);
    expect(started).toHaveLength(3);
  });

  test("take no process of another framing", async () => {
    const { started, target } = counting("stdio");
    await run([pings("plain"), { ...ends("a"), framing: "header" }], target);
    expect(started).toEqual(["line", "header"]);
  });

  test("are repeated on a new one if they do not pass", async () => {
    const { started, target } = counting("stdio");
    const picky = toyCase(
      "picky",
      ["TOY-MUST"],
      (t) => void t.check("TOY-MUST", t.conversation.handshake === undefined),
      { isolation: "last" },
    );
    expect((await run([pings("plain"), picky], target)).exitCode).toBe(0);
    expect(started).toHaveLength(2);
  });

  test("have a connection of their own where it is not a process", async () => {
    const { started, target } = counting("memory");
    await run([pings("plain"), ends("a"), ends("b")], target);
    expect(started).toHaveLength(3);
  });
});

test("no case takes a process that a case before it made leave", async () => {
  const { started, target } = counting("stdio");
  const leaves = toyCase(
    "leaves",
    ["TOY-MUST"],
    async (t) => {
      t.conversation.link.halfClose();
      await t.require("TOY-MUST", t.expect.closed());
    },
    { isolation: "rough" },
  );
  const report = await run([leaves, pings("next", { isolation: "rough" })], target);
  expect(report.exitCode).toBe(0);
  expect(started).toHaveLength(3);
});

test("what a case replaces among the extras of its link is there again for the next one", async () => {
  const { target } = counting("stdio");
  const replaces = toyCase("replaces", ["TOY-MUST"], (t) => {
    (t.extras as { encode: unknown }).encode = () => Buffer.from("\n");
    t.pass("TOY-MUST");
  });
  expect((await run([replaces, pings("next")], target)).exitCode).toBe(0);
});
