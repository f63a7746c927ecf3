import { type Content, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { expect, test } from "vitest";
import type { ScriptedModel } from "../../src/model/index.js";
import { all, always, diceSchema, start, throwDice, thrown } from "./support.js";

const clientOf = ({ urls }: ScriptedModel) =>
  new GoogleGenAI({ apiKey: "test-key", httpOptions: { baseUrl: urls.gemini } });
const config = {
  systemInstruction: "Be brief",
  tools: [{ functionDeclarations: [{ name: "dice", parametersJsonSchema: diceSchema }] }],
};
const go: Content = { role: "user", parts: [{ text: "Go" }] };

test.each([false, true])("tools and their results by the official client (streamed: %s)", async (streamed) => {
  const model = await start(throwDice);
  const { models } = clientOf(model);
  const ask = async (contents: Content[]): Promise<GenerateContentResponse[]> =>
    streamed
      ? all(await models.generateContentStream({ model: "any", contents, config }))
      : [await models.generateContent({ model: "any", contents, config })];

  const first = await ask([go]);
  const calls = first.flatMap(({ functionCalls }) => functionCalls ?? []);
  expect(calls.map(({ name, args }) => [name, args])).toEqual([
    ["dice", { sides: 6 }],
    ["dice", { sides: 20 }],
  ]);
  expect(first.at(-1)?.candidates?.[0]?.finishReason).toBe("STOP");
  expect(
    first
      .flatMap(
        ({ candidates }) =>
          candidates?.[0]?.content?.parts?.flatMap(({ text, thought }) => (thought === true ? [] : (text ?? []))) ?? [],
      )
      .join(""),
  ).toBe("I throw twice.");

  // The client keeps each chunk as a content of its own, and its results may come without ids.
  const said = first.flatMap(({ candidates }) => candidates?.[0]?.content ?? []);
  const results = calls.map(({ name }, index) => ({
    functionResponse: { name: name ?? "", response: { output: ["5", "17"][index] } },
  }));
  const last = await ask([go, ...said, { role: "user", parts: results }]);
  expect(last.map(({ text = "" }) => text).join("")).toBe(thrown);
  expect(last.at(-1)?.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
  expect(model.requests.map(({ api, key, conversation }) => [api, key, conversation.model])).toEqual([
    ["gemini", "test-key", "any"],
    ["gemini", "test-key", "any"],
  ]);
});

test("a chat that the client keeps", async () => {
  const chat = clientOf(
    await start(function* ({ prompt, rounds }) {
      yield { say: `${prompt} after ${rounds.length}` };
    }),
  ).chats.create({ model: "any" });
  for (const message of ["One", "Two"]) {
    const chunks = await all(await chat.sendMessageStream({ message }));
    expect(chunks.map(({ text = "" }) => text).join("")).toBe(`${message} after 0`);
  }
});

test.each([
  ["length", "MAX_TOKENS"],
  ["content_filter", "SAFETY"],
] as const)("an answer that ends by %s says %s", async (finish, finishReason) => {
  const { models } = clientOf(await start(always({ say: "And", finish })));
  expect((await models.generateContent({ model: "any", contents: "Go" })).candidates).toMatchObject([{ finishReason }]);
});

test("a stream without server-sent events is one JSON array", async () => {
  const { urls } = await start(always({ say: "One two three" }));
  const response = await fetch(`${urls.gemini}/v1beta/models/any:streamGenerateContent`, {
    method: "POST",
    body: JSON.stringify({ contents: [go] }),
  });
  const chunks = (await response.json()) as GenerateContentResponse[];
  expect(chunks.length).toBe(4);
  expect(chunks.map(({ candidates }) => candidates?.[0]?.content?.parts?.[0]?.text).join("")).toBe("One two three");
});

test("an error in the API's form", async () => {
  const { models } = clientOf(await start(always({ fail: { status: 429, message: "too much" } })));
  await expect(models.generateContent({ model: "any", contents: "Go" })).rejects.toMatchObject({
    status: 429,
    message: expect.stringContaining("RESOURCE_EXHAUSTED"),
  });
});

test("counts tokens, lists its model", async () => {
  const { models } = clientOf(await start(always({ say: "Hi" })));
  expect((await models.countTokens({ model: "any", contents: "Go" })).totalTokens).toBeGreaterThan(0);
  expect((await all(await models.list())).map(({ name }) => name)).toEqual(["models/scripted"]);
});
