// A vscode-jsonrpc connection over a transport, with a JSON-RPC peer on top of another one.
import { strictEqual } from "node:assert";
import { memoryPair } from "@editwire/transport";
import { connectionPeer, transportStreams } from "@editwire/peer/vscode-jsonrpc";
import { createMessageConnection } from "vscode-jsonrpc/node";

async function main(): Promise<void> {
  const [here, there] = memoryPair();
  const near = transportStreams(here);
  const far = transportStreams(there);
  const connection = createMessageConnection(near.reader, near.writer);
  const peer = connectionPeer(createMessageConnection(far.reader, far.writer));
  peer.serve({ request: (_method, params) => params, notification: () => {} });
  connection.listen();
  strictEqual(JSON.stringify(await connection.sendRequest("echo", { text: "hello" })), '{"text":"hello"}');
  connection.end();
  strictEqual((await peer.closed).code, "closed");
}

void main();
