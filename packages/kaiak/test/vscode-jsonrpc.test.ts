import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeStreamTransport } from "@editwire/transport/node";
import { contentLength } from "@editwire/framing";
import { connectKaiak } from "@editwire/kaiak";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import {
  CancellationTokenSource,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { bundle } from "../../../scripts/testing/bundle.js";

const { server } = await bundle(import.meta.url, { server: "fixtures/server.ts" });
const folder = mkdtempSync(join(tmpdir(), "editwire-kaiak-jsonrpc-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Streamed {
  readonly request_id: string;
  readonly content: Readonly<Record<string, unknown>>;
}

describe("vscode-jsonrpc", () => {
  it("as a client runs, answers and cancels against our server", async () => {
    const child = spawn(process.execPath, [server, "stdio"], { stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(() => void child.kill());
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    onTestFinished(() => connection.dispose());
    const execute = (command: string, argument: object, token = new CancellationTokenSource().token) =>
      connection.sendRequest("workspace/executeCommand", { command, arguments: [argument] }, token);
    const fix = (message: string, token?: CancellationTokenSource["token"]) =>
      execute("kaiak/generate_fix", { session_id: "s", incidents: [{ id: "1", rule_id: "r", message }] }, token);
    const texts: unknown[] = [];
    connection.onNotification("kaiak/stream/ai_response", ({ content }: Streamed) => void texts.push(content["text"]));
    connection.onNotification("kaiak/stream/user_interaction", async ({ content }: Streamed) => {
      await execute("kaiak/interaction/respond", {
        interaction_id: content["interaction_id"],
        response_data: { response: "approve" },
      });
    });
    let started = (): void => {};
    connection.onNotification("kaiak/stream/progress", () => started());
    connection.listen();

    await execute("kaiak/configure", { configuration: { workspace: { working_dir: folder } } });
    expect(await fix("ask")).toMatchObject({ status: "completed", incident_count: 1 });
    expect(texts).toEqual(["answer: approve"]);
    const cancel = new CancellationTokenSource();
    started = () => cancel.cancel();
    expect(await fix("wait", cancel.token)).toMatchObject({ status: "cancelled" });
    expect(await execute("kaiak/delete_session", { session_id: "s" })).toMatchObject({ status: "deleted" });
    await expect(execute("kaiak/delete_session", { session_id: "s" })).rejects.toMatchObject({ code: -32003 });
  });

  it("as a server streams to our client, and is cancelled by it", async () => {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const connection = createMessageConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
    onTestFinished(() => connection.dispose());
    connection.onRequest("workspace/executeCommand", async (_params: unknown, token) => {
      const frame = { session_id: "s", request_id: "r", message_id: "1", timestamp: "2025-12-24T10:30:00Z" };
      const content = { text: "é", partial: false };
      await connection.sendNotification("kaiak/stream/ai_response", { ...frame, content });
      await new Promise((resolve) => token.onCancellationRequested(resolve));
      const completed_at = "2025-12-24T10:30:01Z";
      return { request_id: "r", session_id: "s", status: "cancelled", incident_count: 1, completed_at };
    });
    connection.listen();
    const client = await connectKaiak(nodeStreamTransport(toClient, toServer, contentLength()));
    const turn = client.newSession({ sessionId: "s" }).prompt([{ id: "1", rule_id: "r", message: "m" }]);
    const texts: string[] = [];
    for await (const event of turn) {
      if (event.type !== "text") continue;
      texts.push(event.text);
      await turn.cancel();
    }
    expect(texts).toEqual(["é"]);
    expect(await turn.result).toMatchObject({ status: "cancelled", request_id: "r" });
  });
});
