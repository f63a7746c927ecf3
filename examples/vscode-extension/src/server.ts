import { setTimeout } from "node:timers/promises";
import { isWireError } from "@editwire/core";
import { connectEca, type EcaClient, type EcaClientOptions } from "@editwire/eca";
import { connectionTransport } from "@editwire/peer/vscode-jsonrpc";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { startProcess } from "./server-process.js";

/** How the server is started. */
export interface ServerOptions extends EcaClientOptions {
  /** Called with what the server writes to stderr. */
  readonly onLog: (text: string) => void;
}

/** A server that runs. */
export interface RunningServer {
  readonly client: EcaClient;
  /** Turns an error of a lost connection into one that says, in words for the user, what happened to the server. */
  explain(error: unknown): Promise<unknown>;
  /** Ends the connection, and waits until the process has exited, at most two seconds. */
  close(): Promise<void>;
}

/** Milliseconds that the process has to exit after the connection is closed. */
const exitGraceMs = 2_000;
/** Milliseconds after which a lost connection is reported although the process still runs. */
const endNoticeMs = 1_000;

/**
 * Starts a server, as extensions start language servers, and speaks ECA over the connection. Rejects with an error that
 * can be shown to the user when the server cannot be started or exits at once.
 */
export async function startServer(command: readonly string[], options: ServerOptions): Promise<RunningServer> {
  const { streams, ended, end } = startProcess(command, options.onLog);
  const connection = createMessageConnection(
    new StreamMessageReader(streams.stdout),
    new StreamMessageWriter(streams.stdin),
  );
  const explain = async (error: unknown): Promise<unknown> => {
    if (!isWireError(error, "closed")) return error;
    const lost = "The connection to the server was lost. The next prompt starts the server again.";
    return new Error(await Promise.race([ended, setTimeout(endNoticeMs, lost)]), { cause: error });
  };
  try {
    const client = await connectEca(connectionTransport(connection), {
      clientInfo: { name: "vscode-extension", version: "0.0.0" },
      processId: process.pid,
      ...options,
    });
    void client.closed.then(() => setTimeout(exitGraceMs, undefined, { ref: false })).then(end);
    const close = async (): Promise<void> => {
      await client.close();
      await Promise.race([ended, setTimeout(exitGraceMs, undefined, { ref: false })]);
    };
    return { client, explain, close };
  } catch (error) {
    const explained = await explain(error);
    end();
    throw explained;
  }
}
