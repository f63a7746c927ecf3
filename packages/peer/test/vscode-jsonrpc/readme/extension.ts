import { type ChildProcess, spawn } from "node:child_process";
import { connectionPeer } from "@editwire/peer/vscode-jsonrpc";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

const [command = "", ...args] = process.argv.slice(2);
const child: ChildProcess = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
if (child.stdout === null || child.stdin === null) throw new Error("expected pipes");
const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));

const peer = connectionPeer(connection);
peer.serve({
  request: (method) => `${method}: because`,
  notification: (method, params) => console.log(method, params),
});
console.log(await peer.request("count", { to: 2 }, { timeoutMs: 30_000 }));
console.log(await peer.request("ask", {}));
await peer.close();
