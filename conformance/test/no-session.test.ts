import { describe, expect, test } from "vitest";
import { acp, memoryTarget, runConformance, type RunReport } from "../src/index.js";
import { referenceAgent } from "../src/protocols/acp/reference/agent.js";
import { readerOf } from "../src/packs/taking.js";
import { terminalReport } from "../src/report/terminal.js";

const inV1 = acp.reference["agent"]?.profiles?.["v1"] ?? {};
/** The cases of sessions and turns; in the official dialect also those of its other methods. */
const filter = ["acp.agent.session.*", "acp.agent.turn.*", "acp.agent.mode.*"];

/**
 * Judges an agent that answers some requests with an error, and counts the sessions that the suite asked it for.
 * Without a code, the agent does not answer these requests.
 */
async function judge(profile: "spec" | "v1", refused: RegExp, code?: number): Promise<RunReport & { asked: number }> {
  let asked = 0;
  const target = memoryTarget((pipe) => {
    const methods = new Map<unknown, string>();
    referenceAgent({
      ...(profile === "v1" && inV1),
      reader: readerOf(({ id, method }) => {
        if (typeof method === "string") methods.set(id, method);
        if (method === "session/new") asked += 1;
        return "take";
      }),
      outgoing: (message) => {
        const { id, method } = message;
        const isRefused = method === undefined && refused.test(methods.get(id) ?? "");
        if (!isRefused) return [message];
        return code === undefined ? [] : [{ jsonrpc: "2.0", id, error: { code, message: "log in first" } }];
      },
    })(pipe);
  });
  const options = {
    protocol: acp,
    role: "agent",
    seed: 1,
    behaviors: "commands",
    profile,
    filter: profile === "v1" ? [...filter, "acp.agent.answers.*"] : filter,
    target,
    ...(code === undefined && { timeScale: 0.02 }),
  } as const;
  return { ...(await runConformance(options)), asked };
}

const failing = (report: RunReport): string[] =>
  report.cases.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === "fail").map(({ req }) => req));

const firstLines = (report: RunReport): string =>
  terminalReport(report, { command: "run", lookup: (id) => ({ id, text: id }) as never })
    .split("\n")
    .slice(0, 4)
    .join("\n");

describe("an agent that opens no session", () => {
  test("because nobody has logged in, is not accused, is not asked again, and the report says so first", async () => {
    const report = await judge("v1", /^session\//, -32_000);
    expect(failing(report)).toEqual([]);
    expect(report.outcome).toBe("incomplete");
    expect(firstLines(report)).toContain('session/new was refused with -32000 "log in first"');
    expect(report.asked).toBeLessThan(15);
  });

  test("or that answers no prompt before a login, is not accused", async () => {
    const report = await judge("v1", /^session\/prompt$/, -32_000);
    expect(failing(report)).toEqual([]);
    expect(firstLines(report)).toContain('session/prompt was refused with -32000 "log in first"');
  });

  test("is accused once where the dialect has no login, or for another error", async () => {
    for (const report of [
      await judge("spec", /^session\/new$/, -32_000),
      await judge("v1", /^session\/new$/, -32_603),
    ]) {
      expect(failing(report)).toEqual(["ACP-SESSION-001"]);
      expect(firstLines(report)).toContain("session/new was refused with -32");
      expect(report.asked).toBeLessThan(15);
    }
  });

  test("because it does not answer, is accused once, and is not asked again", async () => {
    const report = await judge("spec", /^session\/new$/);
    // The others judge session/new with wrong params, which is not answered either.
    expect(failing(report).filter((req) => req === "ACP-SESSION-001")).toHaveLength(1);
    expect(firstLines(report)).toContain("session/new was not answered: ");
    expect(report.asked).toBeLessThan(15);
  });
});
