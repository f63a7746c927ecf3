// Real: the child process is a language server of vscode-languageserver, and the connection here is the one of
// vscode-languageserver-protocol, which vscode-languageclient makes for its clients. The class LanguageClient itself
// needs the module `vscode`, which exists in the editor only. Both use a copy of vscode-jsonrpc other than ours.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connectionTransport } from "@editwire/peer/vscode-jsonrpc";
import { connectKaiak, errorNameOf, isSessionNotFound, type KaiakTurnEvent } from "@editwire/kaiak";
import type { MessageConnection } from "vscode-jsonrpc";
import { expect, it, onTestFinished } from "vitest";
import {
  createProtocolConnection,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { bundle } from "../../../scripts/testing/bundle.js";

const { server } = await bundle(import.meta.url, { server: "fixtures/language-server.ts" });
const incidents = [{ id: "1", rule_id: "r", message: "é" }];

it("runs over the connection of a language client, beside its own requests", async () => {
  const child = spawn(process.execPath, [server], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const exited = once(child, "exit");
  const language = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const transport = connectionTransport(language as unknown as MessageConnection);
  const client = await connectKaiak(transport);
  const { capabilities } = await language.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  });
  expect(capabilities.executeCommandProvider?.commands).toContain("kaiak/generate_fix");
  await language.sendNotification(InitializedNotification.type, {});

  const hover = (uri: string) =>
    language.sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line: 0, character: 0 } });
  await client.configure({ workspace: { working_dir: process.cwd() } });
  const session = client.newSession({ sessionId: "s" });
  const turn = session.prompt(incidents);
  const events: KaiakTurnEvent[] = [];
  for await (const event of turn) {
    events.push(event);
    if (event.type !== "question") continue;
    expect(await hover("file:///A")).toEqual({ contents: "hover over file:///A" });
    const busy: unknown = await client.connection
      .request("kaiak/generate_fix", { session_id: "s", incidents })
      .catch((error: unknown) => error);
    expect(errorNameOf(busy)).toBe("SessionInUse");
    await event.respond("approve");
  }
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["progress", "question"]);
  const texts = events.flatMap((event) => (event.type === "text" ? [event.text] : []));
  expect(texts).toEqual([...Array.from({ length: 100 }, (_, index) => `${index} `), "approve"]);
  expect(await turn.result).toMatchObject({ session_id: "s", status: "completed" });

  const second = session.prompt(incidents);
  for await (const event of second) if (event.type === "question") await second.cancel();
  expect((await second.result).status).toBe("cancelled");
  await session.delete();
  await expect(session.delete()).rejects.toSatisfy((error) => isSessionNotFound(error));

  await language.sendRequest(ShutdownRequest.type);
  await language.sendNotification(ExitNotification.type);
  expect(await exited).toEqual([0, null]);
  expect(await client.closed).toMatchObject({ code: "closed" });
});
