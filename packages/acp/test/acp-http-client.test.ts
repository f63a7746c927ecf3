import { acpProfiles } from "@editwire/acp-schema";
import { AcpHttpClient } from "acp-http-client";
import { expect, it, onTestFinished } from "vitest";
import { listenAcpHttp } from "../src/node.js";

/** Maps the one path of `acp-http-client` to our two. */
function mapper(url: string): typeof fetch {
  return (_url, init) => fetch(`${url}/acp/${init?.method === "POST" ? "rpc" : "sse"}?client_id=other`, init);
}

it("acp-http-client prompts our agent, decides about a permission and cancels, behind a token", async () => {
  const listener = await listenAcpHttp(
    {
      prompt: async (turn) => {
        const call = await turn.toolCall({ title: "Delete", kind: "delete" });
        const { allowed } = await turn.requestPermission(call);
        await (allowed ? call.complete() : call.fail());
        await turn.text(allowed ? "deleted" : "kept");
        if (turn.promptText === "wait") await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      },
    },
    { profile: acpProfiles.v1, token: "t" },
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
