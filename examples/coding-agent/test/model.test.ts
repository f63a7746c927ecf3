import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { isRemoteError } from "@editwire/core";
import { type Script, type Step, startScriptedModel } from "@editwire/conformance/model";
import { describe, expect, it, onTestFinished } from "vitest";
import { openModel, type Reply } from "../src/model.js";
import { toolsFor } from "../src/tools/registry.js";

const KEY = "sk-very-secret";
const question = { messages: [{ role: "user" as const, content: "Go" }], tools: toolsFor("full") };
const { signal } = new AbortController();

async function ask(baseUrl: string): Promise<Reply & { thoughts: string; texts: string[] }> {
  const thoughts: string[] = [];
  const texts: string[] = [];
  const listener = {
    text: (text: string) => void texts.push(text),
    thought: (text: string) => void thoughts.push(text),
  };
  const reply = await openModel({ baseUrl, apiKey: KEY, model: "m" }, { maxRetries: 0 }).reply(
    question,
    listener,
    signal,
  );
  return { ...reply, thoughts: thoughts.join(""), texts };
}

async function scripted(step: Step): Promise<string> {
  const script: Script = function* () {
    yield step;
  };
  const server = await startScriptedModel({ script });
  onTestFinished(() => server.close());
  return server.urls.openai;
}

/** An endpoint that streams these chunks, whatever it is asked. */
async function streaming(chunks: readonly unknown[]): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 0,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});

describe("an answer", () => {
  it("says what it took, where the endpoint counts", async () => {
    const counting = await ask(await scripted({ say: "Four words, no more" }));
    expect(counting.usage).toEqual({ input: expect.any(Number), output: expect.any(Number) });
    expect(counting.usage?.output).toBeGreaterThan(0);
    const silent = await ask(await streaming([chunk({ content: "Hi" }), chunk({}, "stop")]));
    expect(silent).toMatchObject({ text: "Hi", usage: undefined });
  });

  it("streams text and thoughts separately", async () => {
    const reply = await ask(
      await scripted({
        think: "Hm, let me see",
        say: "Two words and more",
        calls: [{ name: "search", args: { pattern: "é" } }],
      }),
    );
    expect(reply).toMatchObject({
      text: "Two words and more",
      thoughts: "Hm, let me see",
      end: "done",
      calls: [{ name: "search", arguments: '{"pattern":"é"}' }],
    });
    expect(reply.texts.length).toBe(4);
  });

  it("may make several calls whose parts come mixed, without ids, and end with any reason", async () => {
    const part = (index: number, call: object) => chunk({ tool_calls: [{ index, ...call }] });
    const reply = await ask(
      await streaming([
        part(0, { function: { name: "read_file", arguments: "" } }),
        part(1, { function: { name: "search", arguments: '{"a"' } }),
        part(0, { function: { arguments: "{}" } }),
        part(1, { function: { arguments: ":1}" } }),
        chunk({}, "stop"),
      ]),
    );
    expect(reply.calls.map(({ name, arguments: json }) => [name, json])).toEqual([
      ["read_file", "{}"],
      ["search", '{"a":1}'],
    ]);
    expect(new Set(reply.calls.map(({ id }) => id)).size).toBe(2);
  });

  it("may tell its calls apart by id alone", async () => {
    const part = (id: string, json: string) =>
      chunk({ tool_calls: [{ index: 0, id, function: { name: "search", arguments: json } }] });
    const reply = await ask(await streaming([part("a", "{}"), part("b", "[]"), chunk({}, "tool_calls")]));
    expect(reply.calls).toEqual([
      { id: "a", name: "search", arguments: "{}" },
      { id: "b", name: "search", arguments: "[]" },
    ]);
  });

  it("may be a refusal, which is shown as text", async () => {
    const reply = await ask(await streaming([chunk({ refusal: "I will not." }), chunk({}, "stop")]));
    expect(reply).toMatchObject({ end: "refused", texts: ["I will not."] });
  });
});

describe("an error", () => {
  const failure = (status: number) => ({ fail: { status, message: `Bad key ${KEY}` } });

  it.each<[string, Step, RegExp, number | null]>([
    ["a refused key", failure(401), /refused the API key \(401\)\. Check OPENAI_API_KEY/, 401],
    ["an unknown model", failure(404), /does not know the model "m" \(404\)/, 404],
    ["a limit", failure(429), /limits its use \(429\)/, 429],
    ["a request that it does not take", failure(400), /failed: 400 Bad key …\.$/, 400],
    ["an overload", failure(503), /failed: 503 Bad key …\.$/, 503],
    ["a connection that breaks", { say: "I was about", cut: true }, /broke off/, null],
  ])("that is %s is put in words for the user, without the key", async (_case, step, message, status) => {
    const error: unknown = await ask(await scripted(step)).catch((thrown: unknown) => thrown);
    if (!isRemoteError(error)) throw error;
    expect(error.message).toMatch(message);
    expect(error.message).toContain("http://127.0.0.1:");
    expect(error.data).toEqual({ status });
    expect(JSON.stringify([error.message, error.data, error.cause])).not.toContain(KEY);
  });

  it("that is an endpoint nobody listens at says so, without the URL's password", async () => {
    const url = new URL(await streaming([]));
    const closed = await startScriptedModel({ *script() {} });
    await closed.close();
    const nobody = `http://user:pass@127.0.0.1:${new URL(closed.url).port}/v1?key=x`;
    await expect(ask(nobody)).rejects.toThrow(
      `Cannot reach the model endpoint http://127.0.0.1:${new URL(closed.url).port}/v1.`,
    );
    await expect(ask(url.href)).rejects.toThrow(/broke off\.$/);
  });
});
