import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { chromiumFlags, findChromium } from "../../../scripts/testing/chromium.js";
import { type CodeServer, findCodeServer, startCodeServer } from "../../../scripts/testing/code-server.js";
import { bundle as bundleExtension } from "../src/bundle.js";

const tests = "the extension in real VS Code";
const codeServer = findCodeServer(tests);
const executablePath = findChromium(tests);
const timeout = 55_000;

describe.skipIf(codeServer === undefined || executablePath === undefined)(tests, { timeout }, () => {
  const home = mkdtempSync(join(tmpdir(), "editwire-vscode-"));
  let editor: CodeServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const { server } = await bundle(import.meta.url, { server: "fixtures/server.ts" });
    const extension = join(home, "extensions/editwire.editwire-example-vscode-extension-0.0.0");
    for (const folder of [join(extension, "dist"), join(home, "data/User"), join(home, "project")])
      mkdirSync(folder, { recursive: true });
    cpSync(new URL("../package.json", import.meta.url), join(extension, "package.json"));
    await bundleExtension(join(extension, "dist/extension.cjs"));
    const settings = { "editwire.command": [process.execPath, server], "workbench.startupEditor": "none" };
    writeFileSync(join(home, "data/User/settings.json"), JSON.stringify(settings));
    editor = await startCodeServer(codeServer ?? "", home, join(home, "project"));
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: chromiumFlags });
    page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(editor.url);
  }, timeout);

  afterAll(async () => {
    await browser?.close();
    await editor?.close();
    rmSync(home, { recursive: true, force: true });
  });

  const quickInput = (): Locator => page.locator(".quick-input-widget");
  const quickRow = (text: string): Locator => quickInput().locator(".monaco-list-row", { hasText: text }).first();
  const dialog = (): Locator => page.locator(".monaco-dialog-box");
  const notice = (text: string): Locator => page.locator(".notification-list-item", { hasText: text }).first();

  /** Runs a command from the palette, which offers an extension's commands some seconds after the page was opened. */
  async function run(command: string): Promise<void> {
    await page.locator(".monaco-workbench").waitFor();
    await expect
      .poll(
        async () => {
          await page.keyboard.press("Escape");
          await page.keyboard.press("F1");
          await quickInput().locator("input").first().fill(`>${command}`);
          await quickInput().locator(".monaco-list-row").first().waitFor();
          return quickRow(command).isVisible();
        },
        { timeout, interval: 500 },
      )
      .toBe(true);
    await quickRow(command).click();
  }

  async function chat(message: string): Promise<void> {
    await run("ECA: Chat…");
    await page.locator(".quick-input-widget", { hasText: "code assistant" }).waitFor();
    await page.keyboard.type(message);
    await page.keyboard.press("Enter");
  }

  /** The text of the output channel, without empty lines. */
  async function output(): Promise<string[]> {
    const lines = await page.locator(".part.panel .view-line").all();
    const placed = await Promise.all(
      lines.map(async (line) => ({
        top: await line.evaluate((shown) => shown.getBoundingClientRect().top),
        text: await line.innerText(),
      })),
    );
    return placed
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text.replaceAll("\u00a0", " ").trim())
      .filter((text) => text !== "");
  }

  const outputEndsWith = (...lines: string[]): Promise<void> =>
    expect.poll(async () => (await output()).slice(-lines.length)).toEqual(lines);

  it("is activated by its command, streams a turn, and runs a tool that the user allows", async () => {
    await chat("hello");
    await expect.poll(() => dialog().innerText()).toContain("Writing /x");
    expect(await dialog().innerText()).toContain("-old\n+new");
    await outputEndsWith("> hello", "You said: hello.", "[pending] Writing /x", "[waiting] Writing /x");
    await dialog().getByRole("button", { name: "Allow" }).click();
    await outputEndsWith("[completed] Writing /x", "Bye.");
    expect((await output())[0]).toBe(`Open: file://${join(home, "project")}`);
    await notice("the server is ready").waitFor();
  });

  it("refuses a tool when the user closes the question", async () => {
    await chat("again");
    await dialog().waitFor();
    await page.keyboard.press("Escape");
    await outputEndsWith("[rejected] Writing /x", "Bye.");
  });

  it("ends a turn when the user cancels it in the notification", async () => {
    await chat("wait");
    await outputEndsWith("> wait", "waiting");
    await notice("ECA").getByRole("button", { name: "Cancel" }).click();
    await outputEndsWith("waiting", "Prompt stopped", "(cancelled)");
  });

  it("uses the model that the user picks", async () => {
    await run("ECA: Choose Model…");
    await quickRow("large").click();
    await chat("choice");
    await outputEndsWith("> choice", "with large agent");
  });

  it("says in words for users that the server was killed, and starts it again with the next prompt", async () => {
    await chat("kill");
    await notice(
      "The server was ended from outside, by the signal SIGKILL. The next prompt starts it again.",
    ).waitFor();
    await chat("choice");
    await outputEndsWith("> choice", "with large agent");
  });

  it("ends the server, and what the server started, when VS Code closes", async () => {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as { port: number };
    const connected = once(listener, "connection") as Promise<[Socket]>;
    await chat(`start helper ${port}`);
    const [socket] = await connected;
    const ended = new Promise((resolve) =>
      socket
        .resume()
        .on("error", () => {})
        .once("close", resolve),
    );
    await page.close();
    await editor.close();
    await ended;
    listener.close();
  });
});
