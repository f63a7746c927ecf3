import { acpProfiles } from "@editwire/acp-schema";
import { AcpHttpClient } from "acp-http-client";
import { expect, it, onTestFinished } from "vitest";
import { listenAcp } from "../src/node.js";

/** Maps the one path of `acp-http-client` to our two. */
function mapper(url: string): typeof fetch {
  return (_url, init) => fetch(`${url}/acp/${init?.method === "POST" ? "rpc" : "sse"}?client_id=other`, init);
}

it("acp-http-client prompts our agent, decides about a permission and cancels, behind a token", async () => {
  const listener = await listenAcp(
    {
      prompt: async (turn) => {
        const call = await turn.toolCall({ title: "Delete", kind: "delete" });
        const { allowed } = await turn.requestPermission(call);
        await (allowed ? call.complete() : call.fail());
        await turn.text(allowed ? "deleted" : "kept");
        if (turn.promptText === "wait") await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      },
    },
    { paths: "spec", profile: acpProfiles.v1, token: "t" },
  );
  onTestFinished(() => listener.close());
  const updates: string[] = [];
  const client: AcpHttpClient = new AcpHttpClient({
    baseUrl: listener.url,
    token: "t",
    fetch: mapper(listener.url),
    client: {
      requestPermission: async ({ options }) => {
        const option = options.find(({ kind }: { kind: string }) => kind === "allow_once");
        return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
      },
      async sessionUpdate({ sessionId, update }) {
        updates.push(update.sessionUpdate);
        if (update.sessionUpdate === "agent_message_chunk" && updates.length > 3) await client.cancel({ sessionId });
      },
    },
  });
  expect(await client.initialize()).toMatchObject({ protocolVersion: 1 });
  const { sessionId } = await client.newSession({ cwd: "/work/project", mcpServers: [] });
  const prompt = (text: string) => client.prompt({ sessionId, prompt: [{ type: "text", text }] });
  expect(await prompt("go")).toEqual({ stopReason: "end_turn" });
  expect(updates).toEqual(["tool_call", "tool_call_update", "agent_message_chunk"]);
  expect(await prompt("wait")).toEqual({ stopReason: "cancelled" });
  await expect(client.prompt({ sessionId: "nope", prompt: [] })).rejects.toMatchObject({ name: "AcpRpcError" });
  await client.disconnect();
});

// It has no forms: its SDK is from before them. Its capabilities say that it speaks the official dialect.
it("acp-http-client offers our agent files and terminals, and loads a session with its history", async () => {
  const path = "/work/project/a.txt";
  const listener = await listenAcp(
    {
      capabilities: { loadSession: true },
      async prompt(turn) {
        const { client } = turn;
        await client.writeTextFile(path, (await client.readTextFile(path, { line: 2, limit: 1 })).toUpperCase());
        const terminal = await client.createTerminal({ command: "make", args: ["all"] });
        await terminal.kill();
        const { signal } = await terminal.waitForExit();
        const { output } = await terminal.output();
        await terminal.release();
        await turn.text(`${output}: ${signal}`);
      },
    },
    { paths: "spec" },
  );
  onTestFinished(() => listener.close());
  const done: string[] = [];
  const said: string[] = [];
  const client = new AcpHttpClient({
    baseUrl: listener.url,
    fetch: mapper(listener.url),
    client: {
      requestPermission: async () => ({ outcome: { outcome: "cancelled" } }),
      sessionUpdate: async ({ update }) => {
        if ("content" in update && update.content instanceof Object && "text" in update.content)
          said.push(`${update.sessionUpdate} ${update.content.text}`);
      },
      readTextFile: async ({ line, limit }) => ({ content: `line ${line} of ${limit}` }),
      writeTextFile: async ({ content }) => (done.push(content), {}),
      createTerminal: async ({ command, args }) => (
        done.push([command, ...(args ?? [])].join(" ")), { terminalId: "t" }
      ),
      killTerminal: async () => (done.push("kill"), {}),
      waitForTerminalExit: async () => ({ exitCode: null, signal: "SIGTERM" }),
      terminalOutput: async () => ({ output: "built half", truncated: false }),
      releaseTerminal: async () => (done.push("release"), {}),
    },
  });
  await client.initialize({
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
  });
  const { sessionId } = await client.newSession({ cwd: "/work/project", mcpServers: [] });
  await client.prompt({ sessionId, prompt: [{ type: "text", text: "go" }] });
  expect(done).toEqual(["LINE 2 OF 1", "make all", "kill", "release"]);
  expect(said).toEqual(["agent_message_chunk built half: SIGTERM"]);
  await client.loadSession({ sessionId, cwd: "/work/project", mcpServers: [] });
  expect(said.slice(1)).toEqual(["user_message_chunk go", "agent_message_chunk built half: SIGTERM"]);
  await client.disconnect();
});
