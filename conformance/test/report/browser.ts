import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { chromiumFlags, findChromium } from "../../../scripts/testing/chromium.js";
import type { ReportDocument } from "../../src/report/document.js";
import { htmlReport } from "../../src/report/html.js";

/** Where Chromium is; `undefined` when there is none, and then the browser's tests are skipped. */
export const chromiumPath = findChromium("the tests of the HTML report");

/** A page that shows a report, and what it did that it should not. */
export interface Shown {
  readonly page: Page;
  /** Requests other than for the file itself, errors, and violations of the policy. */
  readonly faults: string[];
  /** Goes to a place in the report. */
  go(hash: string): Promise<void>;
}

/** A real browser for one file of tests. */
export class ReportBrowser {
  private browser: Browser | undefined;
  /** The page that tests without options of their own share: making one takes longer than most tests. */
  private shared: Page | undefined;
  private faults: string[] = [];
  private url = "";
  private readonly folder = mkdtempSync(join(tmpdir(), "conformance-html-"));
  private files = 0;

  async open(): Promise<void> {
    this.browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: chromiumFlags });
  }

  async close(): Promise<void> {
    await this.browser?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Opens reports at a place. Everything that goes wrong in the page is in `faults`. */
  async show(reports: readonly ReportDocument[], hash = "", options?: BrowserContextOptions): Promise<Shown> {
    const file = join(this.folder, `${++this.files}.html`);
    writeFileSync(file, htmlReport(reports));
    const page = options === undefined ? (this.shared ??= await this.newPage()) : await this.newPage(options);
    this.url = pathToFileURL(file).href;
    this.faults = [];
    await page.goto(`${this.url}${hash}`);
    await page.waitForSelector("main");
    await settled(page);
    const go = async (to: string): Promise<void> => {
      await page.evaluate((value) => void (location.hash = value), to);
      await settled(page);
    };
    return { page, faults: this.faults, go };
  }

  private async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    if (this.browser === undefined) throw new Error("the browser is not open");
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.on(
      "request",
      (request) => void (request.url().split("#")[0] !== this.url && this.faults.push(`request: ${request.url()}`)),
    );
    page.on("pageerror", (error) => void this.faults.push(`error: ${error.message}`));
    page.on(
      "console",
      (message) =>
        void (["error", "warning"].includes(message.type()) && this.faults.push(`console: ${message.text()}`)),
    );
    page.on("dialog", (dialog) => void (this.faults.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
    return page;
  }
}

/** Resolves when what was caused has been drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((resolve) => void requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}
