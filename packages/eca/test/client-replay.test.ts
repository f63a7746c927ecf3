import { PassThrough } from "node:stream";
import { ecaProfiles } from "@editwire/eca-schema";
import { nodeStreamTransport } from "@editwire/transport/node";
import { connectionTransport } from "@editwire/peer/vscode-jsonrpc";
import { expect, it } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { connectEca, ecaFraming } from "../src/index.js";
import { all } from "./client-peer.js";
import { messageOf, playServer, readTranscript } from "./client-transcript.js";

const quiet = { error() {}, warn() {}, info() {}, log() {} };

interface Case {
  readonly transcript: string;
  /** Desktop numbers its requests as vscode-jsonrpc does, from 0; Emacs as our engine does, from 1. */
  readonly engine: "ours" | "vscode-jsonrpc";
  readonly message: string;
}

const cases: Case[] = [
  { transcript: "emacs-2025-08-13-against-seed-server", engine: "ours", message: "Say héllo 🎉 to me" },
  { transcript: "emacs-2026-08-against-seed-server", engine: "ours", message: "Say héllo 🎉 to me" },
  { transcript: "emacs-2026-08-against-current-server", engine: "ours", message: "Say héllo 🎉 to me" },
  { transcript: "desktop-0.9.12-against-seed-server", engine: "vscode-jsonrpc", message: "Say héllo 🎉" },
  { transcript: "desktop-0.9.12-against-current-server", engine: "vscode-jsonrpc", message: "Say héllo 🎉" },
];

it.each(cases)("C6 to C11: reads a server as recorded, $transcript", async ({ transcript, engine, message }) => {
  const blocks = readTranscript(transcript);
  const isCurrent = transcript.includes("current-server");
  const methods = blocks.filter(({ from }) => from === "client").map((block) => messageOf(block).method);
  const prompt = blocks.map(messageOf).find(({ method }) => method === "chat/prompt");
  const given = prompt?.params?.chatId;
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const playing = playServer(blocks, toServer, toClient);

  const transport =
    engine === "ours"
      ? nodeStreamTransport(toClient, toServer, ecaFraming())
      : connectionTransport(
          createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer), quiet),
        );
  const shown: string[] = [];
  const errors: unknown[] = [];
  const client = await connectEca(transport, {
    profile: isCurrent ? ecaProfiles.v2026 : undefined,
    permission: async () => "allow_once",
    onMessage: (type, text) => void shown.push(`${type}: ${text}`),
    onError: (error) => void errors.push(error),
    methods: isCurrent ? { "editor/getDiagnostics": () => ({ diagnostics: [] }) } : undefined,
  });
  const chat = client.newSession(typeof given === "string" ? { sessionId: given } : {});
  const turn = chat.prompt(message);
  const events = await all(turn);
  const answer = await turn.answer;

  expect(events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("")).toBe(
    "Hello wörld 🎉!\ndone-approved",
  );
  expect(
    events
      .filter(({ type }) => type !== "text")
      .map((event) => (event.type === "tool_call" ? event.toolCall.status : event.type)),
  ).toEqual([
    ...[
      "user",
      "progress",
      "progress",
      "thought",
      "thought",
      "thought",
      "url",
      "pending",
      "pending",
      "waiting",
      "progress",
    ],
    ...(isCurrent ? ["in_progress"] : []),
    ...["completed", "usage", "stop"],
  ]);
  expect(answer).toMatchObject({ chatId: chat.id, model: "fake/model-1" });
  expect(chat.state).toMatchObject({
    running: false,
    usage: { sessionTokens: 30, messageCost: "0.01", sessionCost: "0.01" },
    entries: [
      { type: "message", role: "user", text: `${message}\n` },
      { type: "thought", text: "thinking…", complete: true },
      { type: "message", role: "assistant", text: "Hello wörld 🎉!" },
      { type: "content", content: { type: "url", url: "https://eca.dev" } },
      {
        type: "tool_call",
        toolCall: {
          toolCallId: "t1",
          argumentsText: `{"path":"/x"}`,
          arguments: { path: "/x" },
          outputs: [{ text: "file body" }],
        },
      },
      { type: "message", role: "assistant", text: "\ndone-approved" },
    ],
  });
  expect(client.state.config.models).toEqual(["fake/model-1", "fake/model-2"]);
  expect(client.state.toolServers.map(({ name, status }) => `${String(name)} ${String(status)}`)).toEqual([
    "ECA running",
    "m1 disabled",
  ]);
  expect(shown).toEqual(["info: hello from fake"]);

  for (const method of methods.slice(methods.indexOf("chat/toolCallApprove") + 1)) {
    if (method === "chat/queryContext")
      expect(await chat.queryContext("")).toMatchObject([{ type: "repoMap" }, { type: "directory" }, { type: "file" }]);
    if (method === "chat/queryCommands")
      expect(await chat.queryCommands("")).toMatchObject([{ name: "costs", arguments: [] }]);
    if (method === "foo/bar") await expect(chat.queryCommands("")).rejects.toMatchObject({ code: -32601 });
  }
  await client.close();
  const sent = await playing;
  expect(sent.filter(({ method }) => method === "exit")).toHaveLength(1);
  expect(errors).toEqual([]);
});
