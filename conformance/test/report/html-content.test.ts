import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportDocument, type ReportDocument } from "../../src/report/document.js";
import type { TraceEntry } from "../../src/trace/trace.js";
import { chromiumPath, ReportBrowser, settled } from "./browser.js";
import { madeUpCase, madeUpCheck, madeUpReport, madeUpRequirement, toyDocument, toyProtocol } from "./reports.js";
import { writePage } from "../../scripts/page.js";

beforeAll(writePage);

const browser = new ReportBrowser();
beforeAll(async () => {
  if (chromiumPath !== undefined) await browser.open();
});
afterAll(() => browser.close());

const evil = [
  "</script><script>window.hacked = 1</script>",
  '<img src="https://example.invalid/x.png" onerror="window.hacked = 2">',
  "<svg onload=window.hacked=3><style>*{display:none}</style>",
  "javascript:window.hacked=4",
  "\u202egnp.exe\u2066\u200b\ud800 \u0000\u001b[2J",
  "{{constructor.constructor('window.hacked=5')()}}",
].join(" ");
const long = "x".repeat(1_000_000);

function hostileReport(): ReportDocument {
  const id = `toy.server.${evil}`;
  const from = "target";
  const request = (message: unknown) => ({ from, kind: "message", message }) as const;
  const trace = [
    request({ jsonrpc: "2.0", id: evil, method: evil, params: { [evil]: evil } }),
    request({ jsonrpc: "2.0", id: 1, method: "long", params: { long } }),
    request({
      jsonrpc: "2.0",
      id: 2,
      method: "__proto__",
      params: JSON.parse('{"__proto__":{"hacked":6},"constructor":null}') as unknown,
    }),
    request(evil),
    request(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as unknown),
    { from, kind: "bytes", bytes: Buffer.from(evil) } as const,
    { from, kind: "malformed", problem: evil, excerpt: evil } as const,
    { from, kind: "stderr", text: `${evil}\n${evil}` } as const,
    { from, kind: "event", name: evil, data: evil } as const,
  ].map((entry, seq): TraceEntry => ({ ...entry, seq, at: seq }));
  const checks = [
    madeUpCheck({ id: `${evil}#${evil}`, req: evil, message: evil, expected: evil, actual: { [evil]: evil }, at: 0 }),
    madeUpCheck({ at: 1, actual: long }),
  ];
  return reportDocument(
    madeUpReport({
      target: { name: evil, version: evil, capabilities: { [evil]: evil } },
      outcome: "violated",
      exitCode: 1,
      error: evil,
      cases: [madeUpCase({ id, title: evil, reason: evil, verdict: "fail", checks, trace })],
      requirements: [
        { ...madeUpRequirement(evil, "fail"), text: evil, quotes: [{ at: evil, text: evil }], excluded: evil },
      ],
      baseline: { expected: [], stale: [evil], unmatched: [evil], expired: [evil], different: [evil] },
    }),
    { protocol: toyProtocol, traces: "all", command: evil },
  );
}

/** A case with as many requests and responses, every tenth in pieces. */
function longReport(messages: number): ReportDocument {
  const trace: TraceEntry[] = [];
  for (let index = 0; index < messages / 2; index++) {
    const base = (from: "suite" | "target") => ({ seq: trace.length, at: trace.length / 10, from });
    trace.push({
      ...base("suite"),
      kind: "message",
      message: { jsonrpc: "2.0", id: index, method: "ping", params: { index } },
    });
    trace.push({
      ...base("target"),
      kind: "message",
      message: { jsonrpc: "2.0", id: index, result: { pong: true, index } },
    });
  }
  const checks = [madeUpCheck({ at: messages - 1, expected: "a", actual: "b" })];
  return reportDocument(
    madeUpReport({ outcome: "violated", exitCode: 1, cases: [madeUpCase({ verdict: "fail", checks, trace })] }),
    { protocol: toyProtocol, traces: "all" },
  );
}

describe.skipIf(chromiumPath === undefined)("content of the HTML report", () => {
  test("what a target said is text everywhere, runs nothing and asks the network for nothing", async () => {
    const report = hostileReport();
    const { page, faults, go } = await browser.show([report]);
    const clean = async (): Promise<void> => {
      expect(
        await page.evaluate(
          () =>
            ("hacked" in window ? 1 : 0) +
            document.querySelectorAll("img, style:not(head style), main script, iframe, object").length,
        ),
      ).toBe(0);
      const text = await page.locator("main").innerText();
      expect(text).toContain("</script><script>window.hacked = 1</script>");
      expect(text).toContain("\\u202egnp.exe\\u2066\\u200b\\ud800 \\u0000\\u001b[2J");
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000\u001b]/);
    };
    await clean();
    await go("#requirements");
    await page.locator(".requirement summary").click();
    await clean();
    await go("#cases");
    await clean();
    await page.locator(".case-row").click();
    await settled(page);
    await clean();
    const key = `#case/${encodeURIComponent(report.cases[0]?.id.replace("\ud800", "\ufffd") ?? "")}`;
    for (let seq = 0; seq < 9; seq++) {
      await go(`${key}/${seq}`);
      expect(await page.locator(".detail").count()).toBe(1);
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        await settled(page);
      }
      await clean();
    }
    expect(faults).toEqual([]);
  });

  test("an unreadable address is not a trouble", async () => {
    const { page, faults } = await browser.show([hostileReport()], "#case/%E0%A4%A/<img src=x onerror=alert(1)>?q=%");
    expect(await page.locator("h1").innerText()).toBe("Case not found");
    expect(faults).toEqual([]);
  });

  test("the policy would stop a script and a request, should one get in", async () => {
    const { page, faults } = await browser.show([await toyDocument()]);
    const stopped = await page.evaluate(async () => {
      const script = document.createElement("script");
      let refused = 0;
      try {
        script.text = "window.hacked = 1";
        document.body.append(script);
      } catch {
        refused++;
      }
      try {
        document.body.insertAdjacentHTML("beforeend", "<b>x</b>");
      } catch {
        refused++;
      }
      await fetch("https://example.invalid/").catch(() => refused++);
      return { refused, hacked: "hacked" in window };
    });
    expect(stopped).toEqual({ refused: 3, hacked: false });
    expect(faults.filter((fault) => fault.startsWith("request:"))).toEqual([]);
  });

  test("10 000 messages: few nodes, and every one can be reached", async () => {
    const { page, faults, go } = await browser.show([longReport(10_000)], "#case/toy.server.case");
    const state = () =>
      page.evaluate(() => ({
        nodes: document.querySelectorAll("*").length,
        seqs: [...document.querySelectorAll<HTMLElement>(".row")].map((row) => Number(row.dataset["seq"])),
        height: document.querySelector("main")?.scrollHeight ?? 0,
      }));
    const top = await state();
    expect(top.seqs[0]).toBe(0);
    expect(top.height).toBeGreaterThan(10_000 * 30);
    // A reader at the wheel: 60 steps through the whole list, a frame for each.
    const frames = await page.evaluate(async () => {
      const main = document.querySelector("main");
      const times: number[] = [];
      let most = 0;
      for (let step = 1; step <= 60 && main !== null; step++) {
        const start = performance.now();
        main.scrollTop = (main.scrollHeight * step) / 60;
        await new Promise<void>((resolve) => void requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
        times.push(performance.now() - start);
        most = Math.max(most, document.querySelectorAll("*").length);
      }
      return { median: times.sort((a, b) => a - b)[30] ?? 0, most };
    });
    expect(frames.most).toBeLessThan(1_200);
    expect(frames.median).toBeLessThan(250);
    const bottom = await state();
    expect(bottom.seqs.at(-1)).toBe(9_999);
    expect(bottom.seqs.length).toBeLessThan(80);
    await go("#case/toy.server.case/5000");
    expect(await page.locator(".row[aria-current]").getAttribute("data-seq")).toBe("5000");
    expect((await state()).nodes).toBeLessThan(1_200);
    await page.keyboard.press("n");
    await settled(page);
    expect(await page.locator(".detail h2").innerText()).toBe("ping result");
    expect(await page.locator(".row[aria-current] .pin").isVisible()).toBe(true);
    await page.getByLabel("Search messages").fill('"index":4321}');
    expect((await state()).seqs).toEqual([8642, 8643]);
    expect(faults).toEqual([]);
  });

  test("paper gets all rows, and no controls", async () => {
    const { page } = await browser.show([longReport(400)], "#case/toy.server.case");
    const rows = (): Promise<number> => page.locator(".row").count();
    expect(await rows()).toBeLessThan(80);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    expect(await rows()).toBe(400);
    expect(await page.locator(".bar-top").isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    expect(await rows()).toBeLessThan(80);
  });

  describe("is accessible", () => {
    const rules = ["wcag2a", "wcag2aa", "wcag21aa"];

    test.each(["light", "dark"] as const)("in %s colors: contrast, names, roles", async (colorScheme) => {
      // The checker writes HTML into the page, which the page's policy forbids.
      const { page, go } = await browser.show([await toyDocument()], "", { colorScheme, bypassCSP: true });
      const found: string[] = [];
      for (const hash of [
        "#summary",
        "#requirements/TOY-MUST-2",
        "#cases",
        "#case/toy.server.bad",
        "#case/toy.server.bad/3",
      ]) {
        await go(hash);
        await page.evaluate(axe.source);
        const violations = await page.evaluate(async (values) => {
          const { violations: all } = await (
            window as unknown as {
              axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
            }
          ).axe.run({
            runOnly: { type: "tag", values },
          });
          return all.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
        }, rules);
        found.push(...violations.map((violation) => `${hash} ${violation}`));
      }
      expect(found).toEqual([]);
    });
  });
});
