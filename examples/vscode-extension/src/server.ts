import { spawn } from "node:child_process";
import { connectEca, type EcaClientOptions, type EcaClient } from "@editwire/eca";
import { connectionTransport } from "@editwire/peer/vscode-jsonrpc";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

/** How the server is started. */
export interface ServerOptions extends EcaClientOptions {
  /** Hears what the server writes to stderr. */
  readonly onLog: (text: string) => void;
}

/** Milliseconds that the process has to exit after the connection is closed. */
const exitGraceMs = 2_000;

/** Starts a server, as extensions start language servers, and speaks ECA with it over the connection. */
export async function startServer(
  [command = "", ...args]: readonly string[],
  options: ServerOptions,
): Promise<EcaClient> {
  const child = spawn(command, args, { stdio: "pipe" });
  let failure: Error | undefined;
  child.on("error", (error) => (failure = error));
  child.stderr.setEncoding("utf8").on("data", options.onLog);
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  try {
    const server = await connectEca(connectionTransport(connection), {
      clientInfo: { name: "vscode-extension", version: "0.0.0" },
      processId: process.pid,
      ...options,
    });
    void server.closed.then(() => setTimeout(() => child.kill(), exitGraceMs).unref());
    return server;
  } catch (error) {
    child.kill();
    throw failure ?? error;
  }
}
