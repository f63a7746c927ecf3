import { describe, expect, test, vi } from "vitest";
import { runConformance, wsTarget } from "../src/index.js";
import { runMutants } from "../src/mutants/run-mutants.js";
import { registryProblems } from "../src/core/registry/check.js";
import { bases } from "../src/core/registry/requirement.js";
import { wait } from "../src/core/talk/time.js";
import { defineCases } from "../src/protocols/helix-zed/host-role.js";
import { helixZed } from "../src/protocols/helix-zed/protocol.js";
import { listenReferenceHost } from "../src/protocols/helix-zed/reference/host.js";
import { conf } from "./conf.js";

const role = "host";
const registry = helixZed.registry();
const rows = registry.requirements.filter((row) => row.role === role || row.role === "both");
const cases = helixZed.cases.filter((one) => one.role === role);
const mutants = helixZed.mutants.filter((one) => one.role === role);

describe("the registry of Helix-Zed, for hosts", () => {
  test("is complete", () => {
    expect(registryProblems(registry, helixZed)).toEqual([]);
  });

  test("has a row for every finding H01 to H25", () => {
    const known = new Set(rows.flatMap(({ aka }) => aka));
    const wanted = Array.from({ length: 25 }, (_, index) => `H${String(index + 1).padStart(2, "0")}`);
    expect(wanted.filter((id) => !known.has(id))).toEqual([]);
  });

  test("judges nothing that binds agents", () => {
    const bound = new Set(rows.map(({ id }) => id));
    expect(
      cases.flatMap(({ id, emits }) => emits.filter((req) => !bound.has(req)).map((req) => `${id} judges ${req}`)),
    ).toEqual([]);
  });

  test("only warns of what came after the specification", () => {
    const levels = rows.filter(({ id }) => /-(READY|CANCEL|ERROR)-/.test(id)).map(({ level }) => level);
    expect(new Set(levels)).toEqual(new Set(["should"]));
  });

  test("has a mutant for every requirement that anybody judges", () => {
    const violated = new Set(mutants.flatMap(({ violates }) => violates));
    expect(rows.filter(({ id, oracle }) => oracle !== "none" && !violated.has(id)).map(({ id }) => id)).toEqual([]);
  });
});

test("the reference passes everything, and mutants are found for what they do", async () => {
  const filter = [
    "helix-zed.host/does-not-wait",
    "helix-zed.host/dies-of-bad-frames",
    "helix-zed.host/oldest-connection-stays",
  ];
  const { controls, mutants: judged } = await runMutants({ protocol: helixZed, role, filter });
  expect(controls).toHaveLength(1);
  expect(controls[0]).toMatchObject({
    outcome: "conformant",
    totals: { checks: { fail: 0, warn: 0, blocked: 0, "not-applicable": 0 } },
  });
  expect(controls[0]?.cases.slice(1).filter(({ verdict }) => verdict !== "pass")).toEqual([]);
  expect(judged.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(filter.map((id) => `${id} killed`));
});

/** Watches a reference host whose users say something as soon as their agent is there. */
async function watched(says: readonly string[], patch: Parameters<typeof listenReferenceHost>[0] = {}) {
  const { url, token, control, close } = await listenReferenceHost(patch);
  const stop = new AbortController();
  const report = await runConformance({
    protocol: helixZed,
    role,
    target: wsTarget({
      url: `${url}?session_id=ses_agent`,
      headers: { authorization: `Bearer ${String(token)}` },
      paths: helixZed.ws,
    }),
    watch: true,
    basis: bases,
    seed: 1,
    signal: stop.signal,
    onEvent({ type }) {
      if (type !== "start") return;
      const said = says.map((message) => control.do("send", { session: "ses_user", agent: "ses_agent", message }));
      void Promise.all(said).then(() => stop.abort());
    },
  });
  await close();
  return report;
}

describe("a host that is watched", () => {
  test("is judged by what it sends", async () => {
    const { outcome, requirements, cases: run } = await watched(["one", "two"]);
    expect(outcome).toBe("passed");
    expect(run.map(({ id, verdict }) => `${id} ${verdict}`)).toContain("helix-zed.host.watch pass");
    expect(requirements.filter(({ status }) => status === "pass").map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        "HELIX-FRAME-001",
        "HELIX-SEND-002",
        "HELIX-SEND-003",
        "HELIX-SEND-004",
        "HELIX-SCHEMA-chat_message:params",
      ]),
    );
  });

  test("violates what it sends wrong", async () => {
    const outgoing = ({ data, ...message }: { data?: object }) => [{ ...message, data: { ...data, role: "user" } }];
    const { outcome, requirements } = await watched(["one", "two"], { outgoing });
    expect(outcome).toBe("violated");
    expect(requirements.filter(({ status }) => status === "fail").map(({ id }) => id)).toEqual(["HELIX-SEND-005"]);
  });

  test("is found by its address, and the session that its agent is for", async () => {
    const { url, token = "", control, close } = await listenReferenceHost();
    vi.stubEnv("CONFORMANCE_TOKEN", token);
    const said = control.do("send", { session: "ses_user", agent: "ses_agent", message: "Hello" });
    void said.then(close);
    const { status, stdout } = await conf(
      "run",
      "helix-zed",
      "--role",
      "host",
      "--watch",
      "--url",
      `${url}?session_id=ses_agent`,
    );
    vi.unstubAllEnvs();
    expect(stdout).toContain("passed");
    expect(status).toBe(0);
  });

  test("that sends nothing leaves the run incomplete", async () => {
    expect(await watched([])).toMatchObject({ outcome: "incomplete", exitCode: 3 });
  });
});

test("a host that takes its time for its first message gets it for the next one, too", async () => {
  const { url, token, control, close } = await listenReferenceHost();
  const slow = {
    do: async (action: string, args?: Record<string, unknown>) => {
      await wait(100);
      return control.do(action, args);
    },
  };
  const sends = (name: string, deadline?: number) =>
    defineCases({
      [`test.${name}`]: {
        title: name,
        emits: ["HELIX-SEND-002"],
        deadline,
        async run(t) {
          const turn = await t.require("HELIX-SEND-002", t.chat(t.session()));
          turn.answer("Hello");
          await turn.done;
        },
      },
    });
  const report = await runConformance({
    protocol: { ...helixZed, cases: [...sends("first", 500_000), ...sends("second")] },
    role,
    target: wsTarget({
      url,
      headers: { authorization: `Bearer ${String(token)}` },
      paths: helixZed.ws,
      control: slow,
    }),
    seed: 1,
    timeScale: 0.01,
    jobs: 1,
  });
  await close();
  expect(report.cases.map(({ id, verdict }) => `${id}: ${verdict}`).slice(1)).toEqual([
    "helix-zed.host.test.first: pass",
    "helix-zed.host.test.second: pass",
  ]);
});
