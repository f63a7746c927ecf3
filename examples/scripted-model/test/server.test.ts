import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { type Script, type ScriptedModel, type ScriptedModelOptions, startScriptedModel, type Step } from "../src/index.js";

const messages = [{ role: "user" as const, content: "Go" }];
let open: ScriptedModel | undefined;

async function start(script: Script, options: ScriptedModelOptions = {}): Promise<{ model: ScriptedModel; client: OpenAI }> {
  open = await startScriptedModel({ script, ...options });
  return { model: open, client: new OpenAI({ baseURL: open.url, apiKey: "test-key", maxRetries: 2 }) };
}

const always = (step: Step): Script =>
  function* () {
    yield step;
  };

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

afterEach(async () => {
  await open?.close();
  open = undefined;
});

const calls = [
  { name: "read_file", args: { path: "src/ä.js" } },
  { name: "search", args: { pattern: "a\\b" } },
];

describe("a scripted model", () => {
  it("listens on loopback and lists its model", async () => {
    const { model, client } = await start(always({ say: "Hi" }));
    expect(model.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["scripted"]);
  });

  it("streams text in pieces that join to the whole, then the reason and the usage", async () => {
    const said = "First I look,\n\nthen I leap.  ";
    const { client } = await start(always({ think: "Hm, what now?", say: said }));
    const stream = await client.chat.completions.create({ model: "any", messages, stream: true, stream_options: { include_usage: true } });
    const chunks = await all(stream);

    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta as { content?: string; reasoning_content?: string }));
    expect(deltas.filter(({ content }) => content).length).toBeGreaterThan(3);
    expect(deltas.map(({ content = "" }) => content).join("")).toBe(said);
    expect(deltas.map(({ reasoning_content = "" }) => reasoning_content).join("")).toBe("Hm, what now?");
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number), completion_tokens: 11 } });
  });

  it("streams tool calls whose arguments come in pieces", async () => {
    const { client } = await start(always({ calls }));
    const stream = client.chat.completions.stream({ model: "any", messages });
    const completion = await stream.finalChatCompletion();
    const made = completion.choices[0]?.message.tool_calls ?? [];
    expect(made.map((call) => call.type === "function" && [call.function.name, JSON.parse(call.function.arguments)])).toEqual(
      calls.map(({ name, args }) => [name, args]),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
    expect(completion.choices[0]?.finish_reason).toBe("tool_calls");
  });

  it("answers in one piece when no stream is asked for", async () => {
    const { client } = await start(always({ say: "Look:", calls }));
    const { choices, usage, object } = await client.chat.completions.create({ model: "any", messages });
    expect(object).toBe("chat.completion");
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: "Look:", tool_calls: [{ function: { name: "read_file" } }, {}] },
    });
    expect(usage?.total_tokens).toBeGreaterThan(0);
  });

  it("goes on from the results that the conversation holds", async () => {
    const script: Script = function* () {
      const [first] = yield { calls: [{ name: "dice", args: {} }] };
      yield { say: `I threw a ${first?.result}.` };
    };
    const { client, model } = await start(script);
    const { choices } = await client.chat.completions.create({
      model: "any",
      messages: [
        ...messages,
        { role: "assistant", content: null, tool_calls: [{ id: "x", type: "function", function: { name: "dice", arguments: "{}" } }] },
        { role: "tool", tool_call_id: "x", content: "6" },
      ],
    });
    expect(choices[0]?.message.content).toBe("I threw a 6.");
    expect(model.requests.map(({ body, authorization }) => [body.messages.length, authorization])).toEqual([[3, "Bearer test-key"]]);
  });

  it("stops when the client goes away", async () => {
    const { client, model } = await start(always({ say: "word ".repeat(10_000) }), { chunkDelayMs: 20 });
    const stream = await client.chat.completions.create({ model: "any", messages, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await expect(model.requests[0]?.ended).resolves.toBe("aborted");
  });

  it("fails as the script says, once: a retry would get the same", async () => {
    const { client, model } = await start(always({ fail: { status: 503, message: "overloaded" } }));
    await expect(client.chat.completions.create({ model: "any", messages })).rejects.toMatchObject({
      status: 503,
      message: "503 overloaded",
    });
    expect(model.requests.length).toBe(1);
  });

  it("drops the connection where the script says so", async () => {
    const { client } = await start(always({ say: "I was about to", cut: true }));
    const stream = await client.chat.completions.create({ model: "any", messages, stream: true });
    await expect(all(stream)).rejects.toThrow();
  });

  it.each([
    ["POST", "chat/completions", "{", 400, /not JSON/],
    ["POST", "chat/completions", JSON.stringify({ model: "any", messages: [] }), 400, /^messages: /],
    ["POST", "chat/completions", JSON.stringify({ messages }), 400, /^model: /],
    ["GET", "chat/completions", undefined, 404, /GET \/v1\/chat\/completions/],
    ["POST", "embeddings", "{}", 404, /No such route/],
  ])("refuses %s %s with %s", async (method, route, body, status, message) => {
    const { model } = await start(always({ say: "Hi" }));
    const response = await fetch(`${model.url}/${route}`, { method, ...(body === undefined ? {} : { body }) });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(message), type: "invalid_request_error" } });
  });

  it("rejects when its port is taken", async () => {
    const { model } = await start(always({ say: "Hi" }));
    await expect(startScriptedModel({ port: Number(new URL(model.url).port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});
