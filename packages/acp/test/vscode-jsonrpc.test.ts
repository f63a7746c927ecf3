import { memoryPair } from "@editwire/transport";
import { connectionTransport, transportStreams } from "@editwire/peer/vscode-jsonrpc";
import { expect, it } from "vitest";
import { createMessageConnection } from "vscode-jsonrpc/node";
import { connectAcp, serveAcp } from "../src/index.js";

it("runs a turn with both ends over vscode-jsonrpc connections", async () => {
  const [near, far] = memoryPair().map((end) => {
    const { reader, writer } = transportStreams(end);
    return connectionTransport(createMessageConnection(reader, writer));
  });
  if (near === undefined || far === undefined) throw new Error("expected two ends");
  serveAcp(far, {
    info: { name: "agent", version: "1.0.0" },
    async prompt(turn) {
      await turn.text("Looking. ");
      const { allowed } = await turn.requestPermission(await turn.toolCall({ title: "Delete", kind: "delete" }));
      await turn.text(allowed ? "Deleted." : "Left alone.");
    },
  });
  const agent = await connectAcp(near, { permission: async () => "allow_once" });
  const session = await agent.newSession({ cwd: "/work" });
  const said: string[] = [];
  for await (const event of session.prompt("go")) said.push(event.type === "text" ? event.text : event.type);
  expect(said).toEqual(["Looking. ", "tool_call", "Deleted.", "tool_call", "stop"]);
  await agent.close();
});
