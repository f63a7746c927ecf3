import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { chromiumFlags, findChromium } from "../../../scripts/testing/chromium.js";
import { specModes } from "../src/index.js";
import { acpHandler } from "../src/node.js";

const executablePath = findChromium("the test of use-acp in a browser");

it.skipIf(executablePath === undefined)(
  "a page with use-acp has turns with our agent over a WebSocket, cancels, loads and offers files",
  async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL("browser/use-acp-page.ts", import.meta.url))],
      bundle: true,
      write: false,
      format: "esm",
      target: "es2022",
      platform: "browser",
      define: { "process.env.NODE_ENV": '"production"' },
    });
    const server = createServer((request, response) => {
      const isScript = request.url === "/page.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(
        isScript ? outputFiles[0]?.text : '<!doctype html><body><script type="module" src="/page.js"></script>',
      );
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const handler = acpHandler(
      {
        modes: specModes,
        capabilities: { loadSession: true },
        async prompt(turn) {
          if (turn.promptText === "wait") return new Promise(() => {});
          await turn.client.writeTextFile("/work/project/b.txt", await turn.client.readTextFile("/work/project/a.txt"));
          await turn.text(`You said: ${turn.promptText}, in the mode ${turn.session.modeId}`);
          const call = await turn.toolCall({ title: "Delete build/", kind: "delete" });
          const { allowed } = await turn.requestPermission(call);
          await (allowed ? call.complete() : call.fail());
          await turn.text("done");
        },
      },
      { origins: [`http://${host}`], cancelGraceMs: 50 },
    );
    server.on("upgrade", (request, socket, head) => void handler.upgrade(request, socket, head));
    const browser = await chromium.launch({ executablePath: executablePath ?? "", args: chromiumFlags });
    onTestFinished(async () => {
      await browser.close();
      await handler.close();
      server.close().closeAllConnections();
    });
    const page = await browser.newPage();
    await page.goto(`http://${host}/#ws://${host}/acp`);
    const turn = ["Hello", "You said: Hello, in the mode safe", "tool_call", "tool_call_update", "done", "wait"];
    const end = "4 modes, end_turn, cancelled, loaded";
    const seen = ["current_mode_update", ...turn, ...turn, "wrote the text of /work/project/a.txt", end];
    // use-acp has no terminals and no forms.
    expect(await page.textContent("output")).toBe(seen.join("|"));
  },
);
