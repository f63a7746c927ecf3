import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { readContexts } from "../../src/contexts/read.js";
import { fetchPage } from "../../src/contexts/web.js";
import { signal, sourcesOf } from "../support/sources.js";

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const page = (type: string, body: string | Uint8Array, status = 200): Promise<string> =>
  serving((_request, response) => void response.writeHead(status, { "content-type": type }).end(body));

it("gives a page without its markup, and other text as it is", async () => {
  const html =
    "<html><head><title>t</title><style>b{}</style></head><body><h1>Grüße</h1><p>One <b>two</b></p><script>no()</script></body></html>";
  const text = await fetchPage(await page("text/html; charset=utf-8", html), signal);
  expect(text).toMatch(/GRÜSSE|Grüße/i);
  expect(text).toContain("One two");
  expect(text).not.toMatch(/no\(\)|b\{\}|</);
  expect(await fetchPage(await page("application/json", '{"a":1}'), signal)).toBe('{"a":1}');
});

it("A24: is read as a context, and one that cannot be had is named", async () => {
  const url = await page("text/html", "<p>From <b>far</b> away</p>");
  const contexts = [
    { type: "web", url },
    { type: "web", url: "http://127.0.0.1:1/" },
  ] as const;
  expect(await readContexts(contexts, await sourcesOf(), signal)).toMatchObject([
    { type: "text", text: `${url}:\n\nFrom far away` },
    { type: "text", text: "[web http://127.0.0.1:1/: cannot be read: http://127.0.0.1:1/ cannot be fetched]" },
  ]);
});

it("reads so much and no more", async () => {
  const text = await fetchPage(await page("text/plain", "z".repeat(2_000_000)), signal);
  expect(text.length).toBeLessThan(600_000);
  expect(text).toMatch(/the page goes on$/);
});

it.each([
  ["ftp://example.com/a", /no http or https URL/],
  ["file:///etc/passwd", /no http or https URL/],
  ["nonsense", /no http or https URL/],
  ["http://127.0.0.1:1/", /cannot be fetched/],
])("does not fetch %s", async (url, message) => {
  await expect(fetchPage(url, signal)).rejects.toThrow(message);
});

it("says what is wrong with an answer", async () => {
  await expect(fetchPage(await page("text/html", "gone", 404), signal)).rejects.toThrow(/answers 404/);
  await expect(fetchPage(await page("image/png", Uint8Array.of(1)), signal)).rejects.toThrow(/no text but image\/png/);
});

it("ends with the turn", async () => {
  const stop = new AbortController();
  const url = await serving(() => stop.abort(new Error("stopped")));
  await expect(fetchPage(url, stop.signal)).rejects.toThrow("stopped");
});
