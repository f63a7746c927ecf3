import fc from "fast-check";
import { expect, it } from "vitest";
import { finished, initializeParams, type RawClient, ready, typesOf } from "./server-peer.js";

const valid: readonly Record<string, unknown>[] = [
  { id: 1, method: "initialize", params: initializeParams },
  { method: "initialized", params: {} },
  {
    id: 2,
    method: "chat/prompt",
    params: {
      chatId: "m",
      requestId: "1",
      message: "go",
      model: "m",
      behavior: "agent",
      contexts: [{ type: "file", path: "/a", linesRange: { start: 1, end: 2 } }],
    },
  },
  { method: "chat/toolCallApprove", params: { chatId: "m", toolCallId: "t", save: "session" } },
  { method: "chat/toolCallReject", params: { chatId: "m", toolCallId: "t" } },
  { method: "chat/promptStop", params: { chatId: "m" } },
  { id: 3, method: "chat/queryContext", params: { chatId: "m", query: "x", contexts: [{ type: "repoMap" }] } },
  { id: "4", method: "chat/queryCommands", params: { chatId: "m", query: "" } },
  { id: 5, method: "chat/delete", params: { chatId: "m" } },
  { method: "mcp/startServer", params: { name: "x" } },
  { method: "mcp/stopServer", params: { name: "x" } },
  { id: 7, method: "chat/list", params: { limit: 5, sortBy: "createdAt" } },
  { id: 8, method: "chat/open", params: { chatId: "m", limit: 2, before: "9" } },
  { id: 9, method: "chat/history", params: { chatId: "m", after: "1" } },
  { id: 10, method: "chat/update", params: { chatId: "m", title: "T", trust: true } },
  { id: 11, method: "chat/clear", params: { chatId: "m", messages: true } },
  { id: 12, method: "chat/rollback", params: { chatId: "m", contentId: "c", include: ["messages", "tools"] } },
  { id: 13, method: "chat/fork", params: { chatId: "m", contentId: "c" } },
  { method: "chat/selectedModelChanged", params: { chatId: "m", model: "m", variant: "high" } },
  { method: "chat/selectedAgentChanged", params: { chatId: "m", agent: "plan" } },
  { method: "$/cancelRequest", params: { id: 2 } },
  { id: 6, result: { answer: null, cancelled: true } },
];

type Change = (value: unknown, random: { pick: number; junk: unknown }) => unknown;

/** Changes one place of a value, found by walking down as the numbers say. */
function mutate(
  value: unknown,
  path: readonly number[],
  change: Change,
  random: { pick: number; junk: unknown },
): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== "object" || value === null) return change(value, random);
  const keys = Object.keys(value);
  const key = keys[step % Math.max(keys.length, 1)];
  if (
    key === undefined ||
    key === "method" ||
    ((value as Record<string, unknown>)["jsonrpc"] === undefined && key === "chatId")
  )
    return change(value, random);
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = mutate(copy[key], rest, change, random);
  return copy;
}

const changes: readonly Change[] = [
  (_value, { junk }) => junk,
  () => null,
  (value) => (typeof value === "string" ? value.repeat(3) : [value]),
  (value, { pick }) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? without(value, pick) : undefined,
  (value, { junk }) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, junk } : { value: junk },
];

function without(value: object, pick: number): object {
  const keys = Object.keys(value);
  const gone = keys[pick % Math.max(keys.length, 1)];
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone));
}

const mutated = fc
  .record({
    message: fc.constantFrom(...valid),
    path: fc.array(fc.nat(12), { maxLength: 4 }),
    change: fc.constantFrom(...changes),
    pick: fc.nat(12),
    junk: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom("__proto__", "constructor", "toString", 1e308, -1, 0.5, ""),
    ),
  })
  .map(({ message, path, change, pick, junk }) => mutate({ jsonrpc: "2.0", ...message }, path, change, { pick, junk }))
  .filter((message) => message !== undefined && !namesWitness(message));

/** The witness chat is left alone by name; nothing else is spared. */
const namesWitness = (message: unknown): boolean => JSON.stringify(message).includes("witness");

const hundred = fc.array(mutated, { minLength: 100, maxLength: 100 });

/** A chat in the middle of everything: it prompts, approves, and has to see exactly its own turn. */
async function witness(client: RawClient, round: number): Promise<void> {
  const chatId = `witness-${round}`;
  const { result } = await client.call("chat/prompt", { chatId, message: "look" });
  expect(result).toMatchObject({ chatId, status: "success" });
  await client.when(() => client.contents(chatId).some(({ type }) => type === "toolCallRun"));
  client.notify("chat/toolCallApprove", {
    chatId,
    toolCallId: client.contents(chatId).find(({ type }) => type === "toolCallRun")?.["id"],
  });
  await client.when(() => finished(client.contents(chatId)).length > 0);
  expect(typesOf(client.contents(chatId))).toEqual([
    "text",
    "toolCallPrepare",
    "toolCallRun",
    "toolCalled",
    "text",
    "progress",
  ]);
}

it("10,000 mutated messages neither stop the server nor disturb another chat; each request is answered", async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(hundred, async (messages) => {
      const { client, server } = await ready(
        {
          async prompt(turn) {
            const call = await turn.toolCall({
              toolCallId: turn.promptText === "look" ? undefined : "t",
              name: "look",
              arguments: {},
              manualApproval: turn.promptText === "look",
            });
            if (call.allowed) await call.complete("seen");
            await turn.text("done");
          },
          queryContext: () => [{ type: "repoMap" }],
          clearSession() {},
          rollbackSession() {},
          forkSession() {},
        },
        { cancelGraceMs: 1 },
      );
      const seen = witness(client, ++round);
      for (const message of messages) client.send(message);
      await seen;
      await client.call("chat/queryCommands", { query: "" });
      await server.connection.close();
      await server.ended;
      for (const id of new Set(messages.flatMap(idOf))) {
        const asked = messages.filter((message) => idOf(message).includes(id)).length;
        expect(
          client.received.filter((reply) => reply.method === undefined && reply.id === id).length,
          `answers to ${JSON.stringify(id)}`,
        ).toBe(asked);
      }
    }),
    { numRuns: 100, endOnFailure: true },
  );
});

/** The id of what counts as a request: it has a usable id, and a method or nothing that would make it a reply. */
function idOf(message: unknown): (string | number)[] {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return [];
  const { id, method, result, error, params } = message as Record<string, unknown>;
  if (typeof id !== "string" && typeof id !== "number") return [];
  return method !== undefined || (result === undefined && error === undefined && params !== undefined) ? [id] : [];
}
