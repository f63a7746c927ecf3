import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportDocument, type ReportDocument } from "../../src/report/document.js";
import { chromiumPath, ReportBrowser, settled, type Shown } from "./browser.js";
import {
  madeUpCase,
  madeUpCheck,
  madeUpReport,
  madeUpRequirement,
  toyDocument,
  toyProtocol,
  toyRun,
} from "./reports.js";
import { writePage } from "../../scripts/page.js";

beforeAll(writePage);

const browser = new ReportBrowser();
let toy: ReportDocument;
beforeAll(async () => {
  toy = await toyDocument();
  if (chromiumPath !== undefined) await browser.open();
});
afterAll(() => browser.close());

const textOf = ({ page }: Shown, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();
const hashOf = ({ page }: Shown): Promise<string> => page.evaluate(() => location.hash);

describe.skipIf(chromiumPath === undefined)("the HTML report", () => {
  describe("summary", () => {
    test("outcome, what decided it, what else is not met, the sums, and the facts of the run", async () => {
      const shown = await browser.show([toy]);
      const text = await shown.page.locator("main").innerText();
      await expect.poll(() => textOf(shown, ".outcome strong")).toEqual(["Violated"]);
      expect(text).toContain("the target violates 1 of 8 musts");
      await expect
        .poll(() => textOf(shown, "main h2"))
        .toEqual(["What decided it", "Not met, without deciding", "Requirements", "The run"]);
      await expect.poll(() => textOf(shown, ".findings > li.decides .mono")).toEqual(["TOY-MUST-2"]);
      await expect.poll(() => shown.page.locator("h1").innerText()).toBe(toy.run.target);
      await expect
        .poll(() => textOf(shown, ".denominator-name"))
        .toEqual(["must requirements\n8", "should requirements\n1", "may requirements\n1"].map(expectText));
      await expect.poll(() => textOf(shown, ".findings > li .mono")).toEqual(["TOY-MUST-2", "TOY-SHOULD", "TOY-MAY"]);
      expect(text).toContain("npx editwire-conformance run toy --role server -- toy");
      await expect.poll(() => shown.page.title()).toBe("Summary · violated · toy server");
      expect(shown.faults).toEqual([]);
    });

    test("its numbers lead to the requirements that they count", async () => {
      const shown = await browser.show([toy]);
      await shown.page.locator(".denominator", { hasText: "must" }).locator("a", { hasText: "failed" }).click();
      await expect.poll(() => textOf(shown, ".requirement-id")).toEqual(["TOY-MUST-2"]);
    });

    test("a target that did not answer", async () => {
      const shown = await browser.show([
        reportDocument(await toyRun({ startMs: 50 }, () => []), { protocol: toyProtocol, traces: "all" }),
      ]);
      await expect.poll(() => textOf(shown, ".outcome strong")).toEqual(["Target-Error"]);
      await expect.poll(() => shown.page.locator("pre.error").innerText()).toContain("no handshake");
      expect(shown.faults).toEqual([]);
    });
  });

  test("at 360 px, rows of cases whose ids begin alike can be told apart, and what decides comes first", async () => {
    const ids = ["wrong", "right"].map((end) => `toy.server.malformed.session-new.params-of-the-${end}-kind`);
    const of = (id: string, basis: "stated" | "interop") =>
      madeUpCase({ id, verdict: "fail", checks: [madeUpCheck({ id: `${id}#TOY-MUST`, basis })] });
    const cases = [of(ids[0] ?? "", "interop"), of(ids[1] ?? "", "stated")];
    const report = reportDocument(madeUpReport({ cases, outcome: "violated", exitCode: 1 }));
    const shown = await browser.show([report], "#cases", { viewport: { width: 360, height: 700 } });
    const names = shown.page.locator(".case-name > .mono");
    await expect.poll(() => names.allInnerTexts()).toEqual([ids[1], ids[0]]);
    await expect.poll(() => shown.page.locator(".case-row.decides").count()).toBe(1);
    const isWhole = await names.evaluateAll((all) => all.map((one) => one.scrollWidth <= one.clientWidth));
    expect(isWhole).toEqual([true, true]);
    expect(shown.faults).toEqual([]);
  });

  describe("requirements", () => {
    const report = reportDocument(
      madeUpReport({
        requirements: [
          { ...madeUpRequirement("TOY-A-001", "pass"), quotes: [{ at: "1:s1", text: "A server answers." }] },
          madeUpRequirement("TOY-A-002", "untested", "should"),
          madeUpRequirement("TOY-B-001", "fail"),
          { ...madeUpRequirement("TOY-B-002", "excluded"), oracle: "none", excluded: "it happens inside" },
        ],
      }),
      { proven: ["TOY-A-001"] },
    );

    test("a tree by area; tested, proven, failed, excluded", async () => {
      const shown = await browser.show([report], "#requirements");
      await expect.poll(() => textOf(shown, ".area-name")).toEqual(["TOY-A", "TOY-B"]);
      await expect.poll(() => textOf(shown, ".cells b")).toEqual(["3", "2", "1", "1", "1"]);
      await expect.poll(() => shown.page.locator(".requirement .proven").count()).toBe(1);
      expect(shown.faults).toEqual([]);
    });

    test("filters by status, level and text, which are part of the address", async () => {
      const shown = await browser.show([report], "#requirements");
      const ids = (): Promise<string[]> => textOf(shown, ".requirement-id");
      await shown.page.getByRole("button", { name: "excluded" }).click();
      await expect.poll(() => ids()).toEqual(["TOY-B-002"]);
      await shown.page.getByRole("button", { name: "failed" }).click();
      await expect.poll(() => ids()).toEqual(["TOY-B-001", "TOY-B-002"]);
      await expect.poll(() => hashOf(shown)).toBe("#requirements?status=excluded%2Cfail");
      await shown.go("#requirements?status=proven");
      await expect.poll(() => ids()).toEqual(["TOY-A-001"]);
      await shown.go("#requirements?level=should");
      await expect.poll(() => ids()).toEqual(["TOY-A-002"]);
      await shown.go("#requirements");
      await shown.page.getByRole("searchbox").fill("server ANSWERS");
      await expect.poll(() => ids()).toEqual(["TOY-A-001"]);
    });

    test("a permalink opens one, with the spec's words and why it is excluded", async () => {
      const shown = await browser.show([report], "#requirements/TOY-A-001");
      await expect.poll(() => textOf(shown, "blockquote p")).toEqual(["A server answers."]);
      await shown.go("#requirements/TOY-B-002");
      await expect
        .poll(() => textOf(shown, ".requirement-body"))
        .toEqual([expect.stringContaining("Excluded: it happens inside")]);
    });
  });

  describe("cases", () => {
    const ids = (shown: Shown): Promise<string[]> => textOf(shown, ".case-name .mono");

    test("the gravest first; filters by verdict, requirement and text", async () => {
      const shown = await browser.show([toy], "#cases");
      await expect
        .poll(() => ids(shown))
        .toEqual(["toy.server.bad", "toy.server.stuck", "toy.server.soft", "calibration", "toy.server.good"]);
      await shown.page.getByRole("button", { name: "warned" }).click();
      await expect.poll(() => ids(shown)).toEqual(["toy.server.soft"]);
      await shown.page.getByRole("button", { name: "warned" }).click();
      await shown.page.getByLabel("Requirement").fill("must-2");
      await expect.poll(() => ids(shown)).toEqual(["toy.server.bad"]);
      await shown.page.getByLabel("Requirement").fill("");
      await shown.page.getByLabel("Search").fill("nobody answers");
      await expect.poll(() => ids(shown)).toEqual(["toy.server.stuck"]);
      await expect.poll(() => textOf(shown, ".count")).toEqual(["1 of 5 cases"]);
      await expect.poll(() => hashOf(shown)).toBe("#cases?q=nobody+answers");
      expect(shown.faults).toEqual([]);
    });

    test("several runs in one page are distinguished, and filtered by role", async () => {
      const other: ReportDocument = { ...toy, run: { ...toy.run, role: "client" }, cases: toy.cases.slice(0, 1) };
      const shown = await browser.show([toy, other], "#cases");
      await expect.poll(() => ids(shown)).toHaveLength(6);
      await shown.page.getByLabel("Run").selectOption("toy client");
      await expect.poll(() => ids(shown)).toEqual(["calibration"]);
      await shown.page.locator(".case-row").click();
      await expect.poll(() => hashOf(shown)).toBe("#case/calibration%402");
      await shown.go("#summary");
      await expect.poll(() => textOf(shown, ".overline")).toEqual(["toy · server · plain", "toy · client · plain"]);
    });
  });

  describe("a case", () => {
    let bad: string;
    /** The handshake's two messages, then the case's own two. */
    let seqs: number[];
    beforeAll(() => {
      bad = "#case/toy.server.bad";
      seqs =
        toy.cases
          .find(({ id }) => id === "toy.server.bad")
          ?.trace?.flatMap(({ kind, seq }) => (kind === "message" ? [seq] : [])) ?? [];
    });

    test("its checks, messages with lines from requests to responses, and the finding at its message", async () => {
      const shown = await browser.show([toy], bad);
      await expect
        .poll(() => textOf(shown, ".finding"))
        .toEqual([expect.stringMatching(/failed\s+TOY-MUST-2\s+MUST[^]*it ponged[^]*pong <false>[^]*\{"pong":true\}/)]);
      await expect.poll(() => textOf(shown, ".row .arrow b")).toEqual(["ping", "ping result", "ping", "ping result"]);
      await expect.poll(() => shown.page.locator(".row.from-suite").count()).toBe(2);
      await expect
        .poll(() => shown.page.locator(".row.from-target .pin").innerText())
        .toMatch(/failed\s+TOY-MUST-2\s+it ponged\s+expected pong <false>/);
      const lines = await shown.page
        .locator(".brackets path")
        .evaluateAll((paths) => paths.map((path) => path.getAttribute("data-request")));
      expect(lines).toEqual([seqs[0], seqs[0], seqs[2], seqs[2]].map(String));
      expect(shown.faults).toEqual([]);
    });

    test("a click opens a message, as JSON and as bytes, and makes a permalink", async () => {
      const shown = await browser.show([toy], bad);
      await shown.page.locator(".row").last().click();
      await expect.poll(() => hashOf(shown)).toBe(`${bad}/${seqs[3]}`);
      expect(JSON.parse(await shown.page.locator(".detail pre.json").innerText())).toMatchObject({
        result: { pong: true },
      });
      await expect
        .poll(() => shown.page.locator(".detail header p").innerText())
        .toMatch(/target → suite · .* · answers entry \d+ after/);
      await shown.page.getByRole("tab", { name: "Bytes" }).click();
      await expect
        .poll(() => shown.page.locator(".detail pre.hex").innerText())
        .toMatch(/^0000 {2}7b 22 6a 73 6f 6e .* \{"jsonrpc":"2\.0"/);
      await shown.page.getByRole("button", { name: "Close" }).click();
      await expect.poll(() => hashOf(shown)).toBe(bad);
      await expect.poll(() => shown.page.locator(".detail").count()).toBe(0); // drawn behind the change of the address
    });

    test("a permalink leads to the message", async () => {
      const shown = await browser.show([toy], `${bad}/${seqs[0]}`);
      await expect.poll(() => shown.page.locator(".row[aria-current]").getAttribute("data-seq")).toBe(String(seqs[0]));
      await expect.poll(() => textOf(shown, ".detail h2")).toEqual(["ping"]);
    });

    test("chunks are rows of their own when asked for, and messages can be searched", async () => {
      const shown = await browser.show([toy], bad);
      await shown.page.getByLabel("bytes").check();
      await expect.poll(() => shown.page.locator(".row.kind-bytes").count()).toBe(4);
      await shown.page.getByLabel("bytes").uncheck();
      await shown.page.getByLabel("Search messages").fill("pong");
      await expect.poll(() => textOf(shown, ".row .arrow b")).toEqual(["ping result", "ping result"]);
    });

    test("copied as text, it can be put into an issue", async () => {
      const { page } = await browser.show([toy], bad, { permissions: ["clipboard-read", "clipboard-write"] });
      await page.getByRole("button", { name: "Copy as text" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      expect(text).toMatch(/^fail: toy\.server\.bad \(bad\)\n/);
      expect(text).toContain(
        "fail TOY-MUST-2 (must): the text of TOY-MUST-2\n  it ponged\n  expected: pong <false>\n" +
          '    actual: {"pong":true}',
      );
      expect(text).toMatch(/suite {2}-> ping .*\n.*target <- ping result .* {3}<- here\n/);
      expect(text).toMatch(/\n\nnpx editwire-conformance run toy --role server --filter toy\.server\.bad -- toy\n$/);
    });

    test("stderr is a lane between messages; bytes without a message and unanswered requests are marked", async () => {
      const entries = [
        { from: "suite", kind: "message", message: { jsonrpc: "2.0", id: 1, method: "ping" } },
        { from: "suite", kind: "bytes", bytes: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n') },
        { from: "target", kind: "stderr", text: "one\n" },
        { from: "target", kind: "stderr", text: "two\n" },
        { from: "suite", kind: "bytes", bytes: Buffer.from("garbage") },
        { from: "target", kind: "stderr", text: "three\n" },
        { from: "target", kind: "malformed", problem: "not a JSON message", excerpt: "oops" },
        { from: "target", kind: "event", name: "exit", data: { code: 1 } },
      ] as const;
      const trace = entries.map((entry, seq) => ({ ...entry, seq, at: seq * 300 }));
      const shown = await browser.show(
        [reportDocument(madeUpReport({ cases: [madeUpCase({ trace })] }), { protocol: toyProtocol, traces: "all" })],
        "#case/toy.server.case",
      );
      await expect.poll(() => textOf(shown, ".lane-names > *")).toEqual(["suite", "target", "stderr"]);
      await expect.poll(() => textOf(shown, ".aside")).toEqual(["one\\ntwo", "three"]);
      await expect.poll(() => textOf(shown, ".kind-bytes .note")).toEqual(["suite wrote 7 bytes garbage"]);
      await expect.poll(() => textOf(shown, ".arrow em")).toEqual(["no answer"]);
      await expect
        .poll(() => textOf(shown, ".row-time small"))
        .toEqual(["+600 ms", "+600 ms", "+300 ms", "+300 ms", "+300 ms"]);
      await expect.poll(() => textOf(shown, ".note b")).toContain("exit");
      await shown.page.locator(".row.kind-bytes").click();
      await expect.poll(() => shown.page.locator(".detail pre").innerText()).toContain("67 61 72 62 61 67 65");
      expect(shown.faults).toEqual([]);
    });

    test("without a trace it says why, and a case that is not there says so", async () => {
      const shown = await browser.show(
        [reportDocument(await toyRun(), { protocol: toyProtocol })],
        "#case/toy.server.good",
      );
      await expect
        .poll(() => textOf(shown, ".empty"))
        .toEqual(["There is no trace of this case: it was not asked for."]);
      await shown.go("#case/nowhere");
      await expect.poll(() => textOf(shown, "h1")).toEqual(["Case not found"]);
      expect(shown.faults).toEqual([]);
    });
  });

  test("the keyboard alone is enough", async () => {
    const shown = await browser.show([toy]);
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) {
        await shown.page.keyboard.press(key);
        await settled(shown.page); // what a key opens has to be there before the next one
      }
    };
    await press("3", "j", "j");
    await expect
      .poll(() => shown.page.locator(".case-row[aria-current] .mono").first().innerText())
      .toBe("toy.server.stuck");
    await press("k", "Enter");
    await expect.poll(() => hashOf(shown)).toBe("#case/toy.server.bad");
    await press("j", "Enter");
    await expect.poll(() => textOf(shown, ".detail h2")).toEqual(["ping"]);
    await press("j");
    await expect.poll(() => textOf(shown, ".detail h2")).toEqual(["ping result"]);
    await press("Escape");
    await expect.poll(() => shown.page.locator(".detail").count()).toBe(0);
    await press("n");
    await expect.poll(() => textOf(shown, ".detail h2")).toEqual(["ping result"]);
    await press("Escape", "]");
    await expect.poll(() => hashOf(shown)).toBe("#case/toy.server.stuck");
    await press("Escape");
    await expect.poll(() => hashOf(shown)).toBe("#cases");
    await press("/");
    await shown.page.keyboard.type("soft");
    await press("Enter", "Enter");
    await expect.poll(() => hashOf(shown)).toBe("#case/toy.server.soft");
    await press("?");
    await expect.poll(() => shown.page.locator("dialog").isVisible()).toBe(true);
    await press("Escape");
    await expect.poll(() => shown.page.locator("dialog").isVisible()).toBe(false);
    await press("2", "j", "j");
    await expect.poll(() => shown.page.evaluate(() => document.activeElement?.textContent)).toContain("TOY-MUST");
    expect(shown.faults).toEqual([]);
  });

  test("dark as the system is, and the other way at a key, remembered", async () => {
    const shown = await browser.show([toy], "", { colorScheme: "dark" });
    const background = (): Promise<string> =>
      shown.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await expect.poll(() => background()).toBe("rgb(20, 23, 27)");
    await shown.page.keyboard.press("t");
    await expect.poll(() => background()).toBe("rgb(255, 255, 255)");
    await shown.page.reload();
    await shown.page.waitForSelector("main");
    await expect.poll(() => background()).toBe("rgb(255, 255, 255)");
    await shown.page.emulateMedia({ media: "print" });
    await expect.poll(() => background()).toBe("rgb(255, 255, 255)");
  });
});

/** Inner text of a heading with a number, however it is laid out. */
function expectText(text: string): unknown {
  const [name = "", count = ""] = text.split("\n");
  return expect.stringMatching(new RegExp(`^${name}\\s*${count}$`, "i"));
}
