import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { chromiumFlags, findChromium } from "../../../scripts/testing/chromium.js";
import { type AcpHandlerOptions, acpHandler } from "../src/node.js";

const executablePath = findChromium("the tests of ACP in a browser");
const strictPolicy = "default-src 'none'; script-src 'self'; connect-src *";

/** The page's program as one script. */
async function scriptOf(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`browser/${program}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "browser",
    conditions: ["@editwire/source"],
    ignoreAnnotations: true, // this package says that its files have no side effects; these programs do
  });
  return outputFiles[0]?.text ?? "";
}

describe.skipIf(executablePath === undefined)("an agent in a page of Chromium", () => {
  let browser: Browser;
  let scripts: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const names = ["page", "zod-page", "jitless-page"];
    const texts = await Promise.all(names.map(scriptOf));
    scripts = Object.fromEntries(names.map((name, i) => [`/${name}.js`, texts[i] ?? ""]));
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: chromiumFlags });
  });
  afterAll(() => browser.close());

  /** Serves the pages, and an agent for pages of the server's own origin unless others are named. */
  async function serve(options: AcpHandlerOptions = {}): Promise<{ url: string; upgrades: IncomingMessage[] }> {
    const upgrades: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      const script = scripts[request.url ?? ""];
      if (script !== undefined) return void response.setHeader("content-type", "text/javascript").end(script);
      response.setHeader("content-type", "text/html").setHeader("content-security-policy", strictPolicy);
      response.end(`<!doctype html><title>page</title><body><script type="module" src="${request.url}.js"></script>`);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const handler = acpHandler(
      { prompt: async (turn) => void turn.text(`You said: ${turn.promptText}`) },
      { token: "s3cret", origins: [url], ...options },
    );
    server.on("upgrade", (request, socket, head) => {
      upgrades.push(request);
      handler.upgrade(request, socket, head);
    });
    onTestFinished(async () => {
      await handler.close();
      server.close().closeAllConnections();
    });
    return { url, upgrades };
  }

  /** Opens a page, and waits for what it shows. Counts the violations of its policy. */
  async function show(url: string, program: string): Promise<{ text: string; violations: string[]; page: Page }> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(globalThis, { violations });
      document.addEventListener("securitypolicyviolation", (event) => {
        violations.push(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    await page.goto(`${url}/${program}#${url}`);
    const text = (await page.textContent("output")) ?? "";
    const violations = await page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations);
    return { text, violations, page };
  }

  it("is reached over a WebSocket, with the token in a subprotocol and not in the URL", async () => {
    const { url, upgrades } = await serve();
    expect((await show(url, "page")).text).toBe("You said: Hello");
    expect(upgrades.map(({ url: path }) => path)).toEqual(["/acp"]);
    const offered = `editwire.v1, bearer.${Buffer.from("s3cret").toString("base64url")}`;
    expect(upgrades[0]?.headers).toMatchObject({ origin: url, "sec-websocket-protocol": offered });
    expect(upgrades[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each([
    ["another token", { token: "other" }],
    ["another origin", { origins: ["https://app.example"] }],
  ])("is not reached where the server expects %s", async (_name, options) => {
    const { url } = await serve(options);
    const { text } = await show(url, "page");
    expect(text).toMatch(/^WireError: cannot connect to ws:\/\/127\.0\.0\.1:\d+\/acp: the server is out of reach or/);
  });

  it("violates no strict policy", async () => {
    const { url } = await serve();
    const { text, violations } = await show(url, "page");
    expect([text, violations]).toEqual(["You said: Hello", []]);
  });

  it("violates none beside schemas of zod's own, once their generated code is turned off", async () => {
    const { url } = await serve();
    expect((await show(url, "zod-page")).violations).toEqual(["script-src eval"]);
    expect((await show(url, "jitless-page")).violations).toEqual([]);
  });
});
