import { once } from "node:events";
import { request } from "node:http";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../../src/model/index.js";
import { all, always, start } from "./support.js";

const question = { model: "any", messages: [{ role: "user" as const, content: "Go" }] };
const clientOf = ({ urls }: ScriptedModel) => new OpenAI({ baseURL: urls.openai, apiKey: "k", maxRetries: 0 });
const post = (url: string, body: string) => fetch(url, { method: "POST", body });

describe("a caller that goes away", () => {
  test("in the middle of a stream stops it, and is recorded", async () => {
    const model = await start(always({ say: "word ".repeat(10_000) }), { chunkDelayMs: 5 });
    const stream = await clientOf(model).chat.completions.create({ ...question, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await expect(model.requests[0]?.ended).resolves.toBe("aborted");
  });

  test.each([true, false])("while the model holds back its end is recorded (streamed: %s)", async (stream) => {
    const abort = new AbortController();
    const model = await start(always({ say: ["working"], holdMs: 600_000 }), {
      onRequest: () => setImmediate(() => abort.abort()),
    });
    const asked = fetch(`${model.urls.openai}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ ...question, stream }),
      signal: abort.signal,
    });
    await expect(asked.then((response) => response.text())).rejects.toThrow();
    await expect(model.requests[0]?.ended).resolves.toBe("aborted");
  });

  test("that reads to the end was answered", async () => {
    const model = await start(always({ say: "Hi" }));
    await clientOf(model).chat.completions.create(question);
    await expect(model.requests[0]?.ended).resolves.toBe("answered");
  });

  test("in the middle of its question asks nothing", async () => {
    const model = await start(always({ say: "Hi" }));
    const half = request(`${model.urls.openai}/chat/completions`, {
      method: "POST",
      headers: { "content-length": 100 },
    });
    half.on("error", () => {});
    half.write("{");
    await once(half, "socket");
    half.destroy();
    await clientOf(model).chat.completions.create(question);
    expect(model.requests.length).toBe(1);
  });
});

describe("what is wrong", () => {
  test("a connection that the script drops breaks the stream and the answer", async () => {
    const client = clientOf(await start(always({ say: "I was about to", cut: true })));
    await expect(client.chat.completions.create({ ...question, stream: true }).then(all)).rejects.toThrow();
    await expect(client.chat.completions.create(question)).rejects.toThrow();
  });

  test.each([
    ["a little too large", 1_025],
    ["far too large", 1_000_000],
  ])("a body that is %s is refused", async (_size, bytes) => {
    const model = await start(always({ say: "Hi" }), { maxBodyBytes: 1_024 });
    const response = await post(`${model.urls.openai}/chat/completions`, "x".repeat(bytes)).catch(() => undefined);
    // Where the rest is not worth reading, the caller may see its connection end instead.
    if (response !== undefined || bytes < 4_096) expect(response?.status).toBe(413);
    expect(model.requests).toEqual([]);
  });

  test.each([
    ["POST", "/v1/chat/completions", "{", 400, /not JSON/],
    ["POST", "/v1/chat/completions", JSON.stringify({ model: "any", messages: [] }), 400, /^messages: /],
    ["POST", "/v1/responses", JSON.stringify({ input: "Go" }), 400, /^model: /],
    ["GET", "/v1/chat/completions", undefined, 404, /GET \/v1\/chat\/completions/],
    ["POST", "/v1/embeddings", "{}", 404, /No such route/],
  ])("%s %s with %s is refused in OpenAI's form", async (method, path, body, status, message) => {
    const { url } = await start(always({ say: "Hi" }));
    const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body }) });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(message), type: "invalid_request_error" },
    });
  });

  test.each([
    ["/v1/messages", { type: "error", error: { type: "invalid_request_error" } }],
    ["/v1beta/models/any:generateContent", { error: { code: 400, status: "INVALID_ARGUMENT" } }],
    ["/api/chat", { error: expect.any(String) }],
  ])("POST %s is refused in its API's form", async (path, error) => {
    const { url } = await start(always({ say: "Hi" }));
    const response = await post(url + path, "{}");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject(error);
  });

  test("a script that throws is a server error", async () => {
    const model = await start(() => {
      throw new Error("no idea");
    });
    await expect(clientOf(model).chat.completions.create(question)).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining("no idea"),
    });
  });
});

test("it listens on loopback, rejects when its port is taken, and ends its streams when it closes", async () => {
  const model = await start(always({ say: ["working"], holdMs: 600_000 }));
  expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { port } = new URL(model.url);
  await expect(startScriptedModel({ script: always({}), port: Number(port) })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
  const stream = await clientOf(model).chat.completions.create({ ...question, stream: true });
  const read = all(stream);
  read.catch(() => {});
  await model.close();
  await expect(read).rejects.toThrow();
});

test("it keeps the latest 200 requests", async () => {
  const model = await start(always({ say: "Hi" }));
  for (let n = 0; n < 205; n++)
    await (
      await post(`${model.url}/api/chat`, JSON.stringify({ model: String(n), messages: [], stream: false }))
    ).arrayBuffer();
  expect(model.requests.length).toBe(200);
  expect(model.requests[0]?.conversation.model).toBe("5");
});
