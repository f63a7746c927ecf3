import OpenAI from "openai";
import type { ResponseInput } from "openai/resources/responses/responses";
import { describe, expect, test } from "vitest";
import type { ScriptedModel } from "../../src/model/index.js";
import { all, always, diceSchema, start, throwDice, thrown } from "./support.js";

const clientOf = ({ urls }: ScriptedModel) => new OpenAI({ baseURL: urls.openai, apiKey: "test-key", maxRetries: 2 });
const results = ["5", "17"];

describe("chat completions by the official client", () => {
  const messages = [
    { role: "system" as const, content: "Be brief" },
    { role: "user" as const, content: "Go" },
  ];
  const tools = [{ type: "function" as const, function: { name: "dice", parameters: diceSchema } }];

  test.each([false, true])("tools and their results (streamed: %s)", async (streamed) => {
    const model = await start(throwDice);
    const chat = clientOf(model).chat.completions;
    const ask = (more: OpenAI.ChatCompletionMessageParam[]) => {
      const question = { model: "any", tools, messages: [...messages, ...more] };
      return streamed ? chat.stream(question).finalChatCompletion() : chat.create(question);
    };
    const first = (await ask([])).choices[0];
    const calls = first?.message.tool_calls ?? [];
    expect(first).toMatchObject({ finish_reason: "tool_calls", message: { content: "I throw twice." } });
    expect(
      calls.map((call) => call.type === "function" && [call.function.name, JSON.parse(call.function.arguments)]),
    ).toEqual([
      ["dice", { sides: 6 }],
      ["dice", { sides: 20 }],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);

    const answers = calls
      .map(({ id }, index) => ({ role: "tool" as const, tool_call_id: id, content: results[index] ?? "" }))
      .reverse();
    const last = await ask([{ role: "assistant", content: null, tool_calls: calls }, ...answers]);
    expect(last.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: thrown } });
    expect(model.requests.map(({ api, key, conversation }) => [api, key, conversation.messages.length])).toEqual([
      ["openai-chat", "test-key", 2],
      ["openai-chat", "test-key", 5],
    ]);
  });

  test("a call of its own in each of two conversations", async () => {
    const chat = clientOf(await start(throwDice)).chat.completions;
    const ids = async (): Promise<string[]> => {
      const { choices } = await chat.create({ model: "any", tools, messages });
      return (choices[0]?.message.tool_calls ?? []).map(({ id }) => id);
    };
    expect(new Set([...(await ids()), ...(await ids())]).size).toBe(4);
  });

  test("text in pieces that join to the whole, then the reason and the usage", async () => {
    const said = "First I look,\n\nthen I leap.  ";
    const client = clientOf(await start(always({ think: "Hm, what now?", say: said })));
    const chunks = await all(
      await client.chat.completions.create({
        model: "any",
        messages,
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    const deltas = chunks.flatMap(({ choices }) =>
      choices.map(({ delta }) => delta as { content?: string; reasoning_content?: string }),
    );
    expect(deltas.filter(({ content }) => content).length).toBeGreaterThan(3);
    expect(deltas.map(({ content = "" }) => content).join("")).toBe(said);
    expect(deltas.map(({ reasoning_content = "" }) => reasoning_content).join("")).toBe("Hm, what now?");
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: 11 },
    });
  });

  test("pieces as the script gives them", async () => {
    const client = clientOf(await start(always({ say: ["one two ", "three four five"] })));
    const chunks = await all(await client.chat.completions.create({ model: "any", messages, stream: true }));
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.content || [])).toEqual(["one two ", "three four five"]);
  });

  test("an error, once: a retry would get the same", async () => {
    const model = await start(always({ fail: { status: 503, message: "overloaded" } }));
    await expect(clientOf(model).chat.completions.create({ model: "any", messages })).rejects.toMatchObject({
      status: 503,
      message: "503 overloaded",
    });
    expect(model.requests.length).toBe(1);
  });

  test("the list of models", async () => {
    const client = clientOf(await start(always({ say: "Hi" })));
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["scripted"]);
    expect((await client.models.retrieve("scripted")).id).toBe("scripted");
  });
});

describe("responses by the official client", () => {
  const tools = [{ type: "function" as const, name: "dice", parameters: diceSchema, strict: false }];
  const input: ResponseInput = [{ role: "user", content: "Go" }];

  test.each([false, true])("tools and their results (streamed: %s)", async (streamed) => {
    const model = await start(throwDice);
    const { responses } = clientOf(model);
    const ask = (items: ResponseInput) => {
      const question = { model: "any", instructions: "Be brief", tools, input: items };
      return streamed ? responses.stream(question).finalResponse() : responses.create(question);
    };
    const first = await ask(input);
    expect(first).toMatchObject({
      status: "completed",
      output_text: "I throw twice.",
      output: [{ type: "reasoning" }, { type: "message" }, {}, {}],
    });
    const calls = first.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
    expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([
      ["dice", { sides: 6 }],
      ["dice", { sides: 20 }],
    ]);

    const answers = calls.map(({ call_id }, index) => ({
      type: "function_call_output" as const,
      call_id,
      output: results[index] ?? "",
    }));
    const last = await ask([...input, ...(first.output as ResponseInput), ...answers]);
    expect(last.output_text).toBe(thrown);
    expect(last.usage?.total_tokens).toBeGreaterThan(0);
  });

  test.each([
    ["length", "max_output_tokens"],
    ["content_filter", "content_filter"],
  ] as const)("an answer that ends by %s is incomplete", async (finish, reason) => {
    const client = clientOf(await start(always({ say: "And", finish })));
    expect(await client.responses.create({ model: "any", input: "Go" })).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason },
    });
    const events = await all(await client.responses.create({ model: "any", input: "Go", stream: true }));
    expect(events.at(-1)).toMatchObject({ type: "response.incomplete", response: { incomplete_details: { reason } } });
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  });

  test("a response that would have to be remembered is refused", async () => {
    const client = clientOf(await start(always({ say: "Hi" })));
    await expect(
      client.responses.create({ model: "any", input: "Go", previous_response_id: "resp_1" }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining("keeps no responses") });
  });
});
