import { ecaProfiles } from "@editwire/eca-schema";
import { describe, expect, it } from "vitest";
import type { EcaServer } from "../src/index.js";
import type { Message } from "../../peer/test/raw-peer.js";
import { type RawClient, ready } from "./server-peer.js";

const options = { profile: ecaProfiles.v2026 };
const server: EcaServer = {
  async prompt(turn) {
    if (turn.promptText === "call") {
      const call = await turn.toolCall({
        name: "read",
        toolCallId: "t",
        arguments: { path: "a" },
        manualApproval: true,
      });
      if (call.allowed) await call.complete("contents");
    }
    if (turn.promptText === "wait") await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    await turn.usage({ inputTokens: 10, outputTokens: 1 });
    await turn.usage({ inputTokens: 20, outputTokens: 2 });
  },
};

/** The messages to a chat, in one word each. */
function words(received: readonly Message[]): string[] {
  return received.flatMap(({ method, params }) => {
    if (params?.["chatId"] === undefined) return [];
    const content = params["content"] as { type: string; state?: string } | undefined;
    return [
      content === undefined ? [method, params["status"]].filter(Boolean).join(" ") : (content.state ?? content.type),
    ];
  });
}

async function stopped(client: RawClient, chatId: string): Promise<string[]> {
  await client.call("chat/prompt", { chatId, message: "wait" });
  client.notify("chat/promptStop", { chatId });
  await client.content("progress", { chatId, state: "finished" });
  return words(client.received.filter(({ params }) => params?.["chatId"] === chatId));
}

describe("a server in the dialect of 2026", () => {
  it("reports a chat that a client named, and how it runs, and that a tool runs", async () => {
    const { client } = await ready(server, options);
    const turn = client.prompt("call", { chatId: "a" });
    await client.content("toolCallRun");
    client.notify("chat/toolCallApprove", { chatId: "a", toolCallId: "t" });
    await turn;
    expect(words(client.received)).toEqual([
      ...["chat/opened", "text", "chat/statusChanged running", "running"],
      ...["toolCallPrepare", "toolCallRun", "running", "toolCallRunning", "toolCalled", "usage", "usage"],
      ...["chat/statusChanged idle", "finished"],
    ]);
    expect(client.contents().find(({ type }) => type === "toolCallRunning")).toMatchObject({
      ...{ id: "t", name: "read", server: "eca", origin: "native", arguments: { path: "a" } },
    });
    await client.prompt("again", { chatId: "a" }, 2);
    expect(words(client.received).filter((word) => word === "chat/opened")).toHaveLength(1);
  });

  it("does not report a chat that it named itself as opened", async () => {
    const { client } = await ready(server, options);
    await client.prompt("hi");
    expect(words(client.received)[0]).toBe("text");
  });

  it("reports that a turn is being stopped", async () => {
    const { client } = await ready(server, options);
    expect((await stopped(client, "a")).slice(-4)).toEqual([
      "chat/statusChanged stopping",
      "text",
      "chat/statusChanged idle",
      "finished",
    ]);
  });

  it("reports a deleted chat, and nothing for an unknown one", async () => {
    const { client } = await ready(server, options);
    await client.prompt("hi", { chatId: "a" });
    for (const chatId of ["a", "nobody"]) await client.call("chat/delete", { chatId });
    expect(client.received.filter(({ method }) => method === "chat/deleted")).toMatchObject([
      { params: { chatId: "a" } },
    ]);
  });

  it("counts as sessionTokens what fills the model's context", async () => {
    const { client } = await ready(server, options);
    const contents = await client.prompt("hi", { chatId: "a" });
    expect(contents.filter(({ type }) => type === "usage").map(({ sessionTokens }) => sessionTokens)).toEqual([11, 22]);
  });

  it("does not ask again, when a chat is shown, about a call that runs", async () => {
    const { client } = await ready(
      {
        async prompt(turn) {
          await turn.toolCall({ name: "read", toolCallId: "t", arguments: {}, manualApproval: true });
          await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        },
      },
      options,
    );
    await client.call("chat/prompt", { chatId: "a", message: "go" });
    await client.content("toolCallRun");
    client.notify("chat/toolCallApprove", { chatId: "a", toolCallId: "t" });
    await client.content("toolCallRunning");
    const { result } = await client.call("chat/history", { chatId: "a" });
    expect((result as { contents: { content: object }[] }).contents.map(({ content }) => content)).toMatchObject([
      { type: "text" },
      { type: "toolCallPrepare" },
      { type: "toolCallRun", manualApproval: false },
    ]);
  });
});

it("sends none of it in the specification's dialect", async () => {
  const { client } = await ready(server);
  await client.prompt("hi", { chatId: "a" });
  await stopped(client, "b");
  await client.call("chat/delete", { chatId: "a" });
  const later = ["chat/opened", "chat/statusChanged", "chat/deleted"];
  expect(client.received.filter(({ method = "" }) => later.includes(method))).toEqual([]);
  expect(client.contents().filter(({ type }) => type === "toolCallRunning")).toEqual([]);
});

describe("what a client of 2026 does to a chat", () => {
  it("steers the running turn, until the handler takes the message", async () => {
    const taken: string[][] = [];
    let next = (): void => {};
    const { client } = await ready(
      {
        async prompt(turn) {
          for (let step = 0; step < 2; step++) {
            await turn.text(`step ${step}`);
            await new Promise<void>((resolve) => (next = resolve));
            taken.push(turn.takeSteers().map(({ text }) => text));
          }
        },
      },
      options,
    );
    await client.call("chat/prompt", { chatId: "a", message: "go" });
    await client.content("text", { text: "step 0" });
    for (const message of ["faster", "no, slower"]) client.notify("chat/promptSteer", { chatId: "a", message });
    await client.call("chat/queryCommands", { query: "" });
    next();
    await client.content("text", { text: "step 1" });
    client.notify("chat/promptSteer", { chatId: "a", message: "stop" });
    client.notify("chat/promptSteerRemove", { chatId: "a" });
    client.notify("chat/promptSteer", { chatId: "nobody", message: "x" });
    await client.call("chat/queryCommands", { query: "" });
    next();
    await client.content("progress", { state: "finished" });
    expect(taken).toEqual([["faster", "no, slower"], []]);
    expect(client.contents().filter(({ role }) => role === "user")).toMatchObject([
      { text: "go\n" },
      { text: "faster\n", contentId: expect.any(String) },
      { text: "no, slower\n" },
    ]);
  });

  it("sets flags behind messages and tool calls, and removes them", async () => {
    const { client } = await ready(server, options);
    const turn = client.prompt("call", { chatId: "a" });
    await client.content("toolCallRun");
    client.notify("chat/toolCallApprove", { chatId: "a", toolCallId: "t" });
    const { contentId } = (await turn)[0] as { contentId?: string };
    for (const [id, text] of Object.entries({ [String(contentId)]: "start", t: "tool" }))
      expect((await client.call("chat/addFlag", { chatId: "a", contentId: id, text })).result).toEqual({});
    const shown = async (): Promise<unknown[]> => {
      const { result } = await client.call("chat/history", { chatId: "a" });
      const { contents } = result as { contents: { content: { type: string; text?: string } }[] };
      return contents.map(({ content: { type, text } }) => (type === "flag" ? text : type));
    };
    const calls = ["toolCallPrepare", "toolCallRun", "toolCalled"];
    expect(await shown()).toEqual(["text", "start", ...calls, "tool", "usage", "usage"]);
    const flags = client.contents("a").filter(({ type }) => type === "flag");
    expect(flags).toMatchObject([{ text: "start" }, { text: "tool" }]);
    await client.call("chat/removeFlag", { chatId: "a", contentId: flags[0]?.["contentId"] });
    expect(await shown()).toEqual(["text", ...calls, "tool", "usage", "usage"]);
    for (const method of ["chat/addFlag", "chat/removeFlag"])
      expect((await client.call(method, { chatId: "a", contentId: "none", text: "x" })).error).toMatchObject({
        ...{ code: -32_602, data: { code: "content_not_found" } },
      });
  });
});

describe("what the editor is asked", () => {
  const place = { uri: "file:///a", position: { line: 1, character: 2 } };
  const range = { start: place.position, end: place.position };

  it("is its diagnostics, definitions and references, or why it has none", async () => {
    const { client, server: connection } = await ready(server, options);
    const answer = async (method: string, result: object): Promise<Message["params"]> => {
      const { id, params } = await client.until((message) => message.method === method && !answered.has(message.id));
      answered.add(id);
      client.send({ jsonrpc: "2.0", id, result });
      return params;
    };
    const answered = new Set<unknown>();
    const { editor } = connection;
    const found = editor.diagnostics({ uri: "file:///a" });
    expect(await answer("editor/getDiagnostics", { diagnostics: [] })).toEqual({ uri: "file:///a" });
    expect(await found).toEqual([]);
    const failed = editor.diagnostics();
    failed.catch(() => {});
    await answer("editor/getDiagnostics", { status: "error", message: "no project" });
    await expect(failed).rejects.toMatchObject({ name: "RemoteError", message: expect.stringMatching(/no project/) });
    const defined = editor.definition(place);
    const locations = [{ uri: "file:///b", range }];
    expect(await answer("editor/getDefinition", { status: "success", locations })).toEqual(place);
    expect(await defined).toEqual(locations);
    const nowhere = editor.definition(place);
    await answer("editor/getDefinition", { status: "success", locations: [] });
    expect(await nowhere).toEqual([]);
    for (const [status, message] of [
      ["error", "timed out"],
      ["no-server", "no language server"],
      ["starting", undefined],
    ]) {
      const used = editor.references({ ...place, includeDeclaration: true });
      used.catch(() => {});
      const asked = await answer("editor/getReferences", { status, ...(message && { message }) });
      expect(asked).toEqual({ ...place, includeDeclaration: true });
      await expect(used).rejects.toMatchObject({
        message: expect.stringContaining(message ?? "starting"),
        data: { status },
      });
    }
    const late = editor.diagnostics({ timeoutMs: 1 });
    await expect(late).rejects.toMatchObject({ code: "timeout" });
  });
});
