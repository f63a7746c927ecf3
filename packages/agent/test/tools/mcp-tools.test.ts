import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type AgentEvent, type AgentTool, callTool, createAgent, mcpTools, type SessionView } from "../../src/index.js";

const client = new Client({ name: "test", version: "1.0.0" });
beforeAll(async () => {
  const require = createRequire(import.meta.url);
  const args = [require.resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
});
afterAll(() => client.close());

/** Calls a tool of the server in a turn. Returns its result and what a view was shown. */
async function call(tool: AgentTool | undefined, input: unknown, permission?: SessionView["permission"]) {
  const events: AgentEvent[] = [];
  let result: unknown;
  const agent = createAgent({ prompt: async (turn) => void (result = tool && (await callTool(turn, tool, input))) });
  const session = await agent.newSession({ cwd: "/p" });
  const view: SessionView = {
    name: "test",
    event: (event) => void events.push(event),
    ...(permission && { permission }),
  };
  await session.prompt("Go", { view });
  const calls = events.flatMap((event) => (event.type === "tool_call" ? [event.toolCall] : []));
  return { result, calls };
}

it("lists the tools of a real server, and calls one after the user allowed it", async () => {
  const tools = await mcpTools(client, { prefix: "every_" });
  const echo = tools.find(({ name }) => name === "every_echo");
  expect(echo).toMatchObject({ description: expect.any(String), inputSchema: { type: "object" }, asks: true });
  const { result, calls } = await call(echo, { message: "hi" }, async () => "allow_once");
  expect(result).toMatchObject({ text: "Echo: hi", isError: false });
  expect(calls.at(-1)).toMatchObject({
    status: "completed",
    input: { message: "hi" },
    contents: [{ type: "content", content: { type: "text", text: "Echo: hi" } }],
  });
});

it("does not call a tool that the user refused", async () => {
  const [tool] = (await mcpTools(client)).filter(({ name }) => name === "echo");
  const { result, calls } = await call(tool, { message: "hi" }, async () => "reject_once");
  expect(result).toEqual({ text: "The user did not allow this tool call.", isError: true });
  expect(calls.at(-1)?.status).toBe("rejected");
});

it("shows the image that a tool returns", async () => {
  const tool = (await mcpTools(client)).find(({ name }) => name === "get-tiny-image");
  const { calls } = await call(tool, {}, async () => "allow_once");
  expect(calls.at(-1)?.contents).toContainEqual({
    type: "content",
    content: expect.objectContaining({ type: "image", mimeType: "image/png" }),
  });
});

it("reports a failed call as one", async () => {
  const tool = (await mcpTools(client)).find(({ name }) => name === "echo");
  const { result, calls } = await call(tool, {}, async () => "allow_once");
  expect(result).toMatchObject({ isError: true });
  expect(calls.at(-1)?.status).toBe("failed");
});

it.each([
  [true, true, 0],
  [true, false, 1],
  [false, true, 1],
])("asks by annotation: read only %s, trusted %s, asks %d times", async (readOnlyHint, trustAnnotations, times) => {
  const listed = { tools: [{ name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint } }] };
  const fake = { request: async () => listed, callTool: async () => ({ content: [{ type: "text", text: "seen" }] }) };
  const [tool] = await mcpTools(fake, { trustAnnotations });
  let asked = 0;
  const { result } = await call(tool, {}, async () => {
    asked++;
    return "allow_once";
  });
  expect(result).toMatchObject({ text: "seen" });
  expect(asked).toBe(times);
});

it("skips a tool that does not fit, says why by its name, and ends at a cursor that repeats", async () => {
  const odd = fileURLToPath(new URL("../../../session/test/fixtures/odd-mcp-server.mjs", import.meta.url));
  const list = async (scenario: string) => {
    const server = new Client({ name: "test", version: "1.0.0" });
    await server.connect(new StdioClientTransport({ command: process.execPath, args: [odd, scenario] }));
    onTestFinished(() => server.close());
    const errors: string[] = [];
    const tools = await mcpTools(server, { onError: ({ message }) => void errors.push(message) });
    return { names: tools.map(({ name }) => name), errors };
  };
  expect(await list("repeats its cursor")).toEqual({ names: ["a"], errors: [] });
  const { names, errors } = await list("has tools that do not fit");
  expect(names).toEqual(["a", "b"]);
  expect(errors[0]).toBe(
    'the MCP tool "list" is skipped: inputSchema.type: expected "object", received the string "array"',
  );
  expect(errors).toHaveLength(5);
});

it("leaves a call that its tool gives up with the turn to the turn, which ends it as cancelled", async () => {
  const run: AgentTool["run"] = async (_, { turn }) => {
    turn.session.cancel();
    throw new Error("given up");
  };
  const tool: AgentTool = { name: "t", description: "", inputSchema: {}, asks: false, run };
  const { result, calls } = await call(tool, {}, async () => "allow_once");
  expect(result).toEqual({ isError: true, text: "The turn was cancelled." });
  expect(calls.at(-1)?.status).toBe("cancelled");
});

it("asks no more after the answer always, in the same session only", async () => {
  const tool: AgentTool = { name: "t", description: "", inputSchema: {}, run: () => ({ text: "ok" }) };
  const agent = createAgent({ prompt: async (turn) => void (await callTool(turn, tool, {})) });
  let asked = 0;
  const permission = async () => {
    asked++;
    return "allow_always" as const;
  };
  const view: SessionView = { name: "test", event: () => {}, permission };
  const first = await agent.newSession({ cwd: "/p" });
  await first.prompt("1", { view });
  await first.prompt("2", { view });
  expect(asked).toBe(1);
  const second = await agent.newSession({ cwd: "/p" });
  await second.prompt("1", { view: { ...view } });
  expect(asked).toBe(2);
});
