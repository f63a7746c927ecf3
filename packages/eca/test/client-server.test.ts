import { type EcaProfile, ecaProfiles } from "@editwire/eca-schema";
import { memoryPair, type Transport } from "@editwire/transport";
import { connectionTransport, transportStreams } from "@editwire/peer/vscode-jsonrpc";
import { describe, expect, it } from "vitest";
import { createMessageConnection } from "vscode-jsonrpc/node";
import { connectEca, type EcaServerConnection, serveEca } from "../src/index.js";
import { openToolCalls } from "../src/client/state.js";
import { all } from "./client-peer.js";

const quiet = { error() {}, warn() {}, info() {}, log() {} };
const profiles = ecaProfiles;

/** A vscode-jsonrpc connection at this end, as an extension holds it. */
function overVscode(transport: Transport): Transport {
  const { reader, writer } = transportStreams(transport);
  return connectionTransport(createMessageConnection(reader, writer, quiet));
}

function serve(transport: Transport, profile: EcaProfile): EcaServerConnection {
  return serveEca(
    transport,
    {
      initialize: () => ({ models: ["m1", "m2"], welcomeMessage: "Hello" }),
      initialized: (server) => server.toolServerUpdated({ type: "native", name: "ECA", status: "running", tools: [] }),
      async prompt(turn) {
        if (turn.promptText === "fail") throw new Error("a secret");
        await turn.text(`${turn.promptText}, ${turn.behavior ?? "?"}`);
        const call = await turn.toolCall({ name: "write", arguments: { file_path: "/x" }, manualApproval: true });
        if (call.allowed) await call.complete("written");
        await turn.text(" Done.");
      },
      queryContext: ({ query }) => [{ type: "file", path: `/${query}` }],
      queryCommands: () => [{ name: "costs", description: "", type: "native", arguments: [] }],
    },
    { profile },
  );
}

const pairs = (["spec", "v2026"] as const).flatMap((client) =>
  (["spec", "v2026"] as const).flatMap((server) =>
    (["ours", "vscode-jsonrpc"] as const).map((engine) => ({ client, server, engine })),
  ),
);

describe.each(pairs)(
  "a client of $client with a server of $server over $engine",
  ({ client: spoken, server: served, engine }) => {
    const open = async (options: Parameters<typeof connectEca>[1] = {}) => {
      const [near, far] = memoryPair();
      const errors: unknown[] = [];
      const server = serve(far, profiles[served]);
      const transport = engine === "ours" ? near : overVscode(near);
      const client = await connectEca(transport, {
        profile: profiles[spoken],
        onError: (error) => void errors.push(error),
        ...options,
      });
      return { client, server, errors };
    };

    it("prompts, approves and ends", async () => {
      const { client, server, errors } = await open({
        permission: async ({ arguments: given }) => (expect(given).toEqual({ file_path: "/x" }), "allow_once"),
      });
      const chat = client.newSession();
      const turn = chat.prompt("Hi", { behavior: "plan" });
      const events = await all(turn);
      expect(
        events
          .map((event) => (event.type === "tool_call" ? event.toolCall.status : event.type))
          .filter((type) => type !== "progress"),
      ).toEqual([
        ...["user", "text", "pending", "waiting"],
        ...(served === "v2026" ? ["in_progress"] : []), // toolCallRunning
        ...["completed", "text", "stop"],
      ]);
      expect(chat.state.entries).toMatchObject([
        { text: "Hi\n" },
        { text: "Hi, plan" },
        { toolCall: { outputs: [{ text: "written" }] } },
        { text: " Done." },
      ]);
      expect((await turn.answer).model).toBe("m1");
      expect(client.state.config).toMatchObject({ models: ["m1", "m2"], selectModel: "m1" });
      expect(client.state.toolServers).toMatchObject([{ name: "ECA" }]);
      expect(await chat.queryContext("a.ts")).toEqual([{ type: "file", path: "/a.ts" }]);
      expect(await chat.queryCommands("")).toMatchObject([{ name: "costs" }]);
      await client.close();
      await server.ended;
      expect(server.exitCode).toBe(0);
      expect(errors).toEqual([]);
    });

    it("stops while the user is asked, and the chat goes on", async () => {
      const { client, server } = await open();
      const chat = client.newSession();
      const turn = chat.prompt("Hi");
      for await (const event of turn)
        if (event.type === "tool_call" && event.toolCall.status === "waiting") await turn.cancel();
      expect(await turn.stopReason).toBe("cancelled");
      expect(openToolCalls(chat.state)).toEqual([]);
      const next = chat.prompt("fail");
      expect((await all(next)).at(-1)).toEqual({ type: "stop", stopReason: "end_turn" });
      expect(JSON.stringify(chat.state)).not.toContain("secret");
      const rejected = chat.prompt("Hi");
      for await (const event of rejected)
        if (event.type === "tool_call" && event.toolCall.status === "waiting")
          await chat.answerPermission(event.toolCall.toolCallId, "reject_once");
      expect(chat.state.entries.at(-1)).toMatchObject({ text: " Done." });
      await chat.delete();
      expect(chat.state.entries).toEqual([]);
      await client.close();
      await server.ended;
    });
  },
);
