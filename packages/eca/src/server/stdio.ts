import type { ByteStreamOptions } from "@editwire/transport";
import { stdioTransport } from "@editwire/transport/node";
import { checkServer, serveEca } from "./server.js";
import type { EcaServer, EcaServerConnection, EcaServerOptions } from "./api.js";
import { watchParent } from "./parent.js";
import { ecaFraming } from "../shared/peer.js";

/** How a server is served on stdin and stdout. */
export interface EcaStdioOptions extends EcaServerOptions, ByteStreamOptions {
  /**
   * End when the client's process (`processId`) ends. Default true. A process that cannot be seen, as from a container,
   * is not watched.
   */
  watchParent?: boolean | undefined;
  /** Milliseconds between two checks of the client's process. Default 5,000. */
  parentPollMs?: number | undefined;
  /**
   * Milliseconds after the end of the connection until this process exits. Default 750: with `closeTimeoutMs`, less
   * than the two seconds after which clients send SIGTERM.
   */
  exitGraceMs?: number | undefined;
}

/**
 * Serves on this process' stdin and stdout. The process ends with the connection: with exit code 0 after `shutdown`,
 * else 1 (#exit), also when stdin ends or the client's process has ended. Messages that the client has not read within
 * `closeTimeoutMs` are dropped then. Without `onError`, errors that the client does not get go to stderr. Throws a
 * `TypeError` for a server without `prompt`.
 */
export function serveEcaStdio(server: EcaServer, options: EcaStdioOptions = {}): EcaServerConnection {
  checkServer("serveEcaStdio", server, options);
  const { watchParent: watched = true, parentPollMs = 5_000, exitGraceMs = 750, onDiagnostic = () => {} } = options;
  const connection = serveEca(stdioTransport(ecaFraming(), options), server, options);

  void connection.client.then(({ processId }) => {
    if (!watched || typeof processId !== "number") return;
    const report = (message: string): void => onDiagnostic({ id: "parent-process", method: undefined, message });
    const watch = watchParent(processId, parentPollMs, () => {
      report(`The client's process ${processId} is gone, so this one ends`);
      void connection.close();
    });
    if (!watch.watching) report(`The client's process ${processId} cannot be seen from here, so it is not watched`);
    void connection.closed.then(() => watch.stop());
  });

  void connection.closed.then(() => {
    process.exitCode = connection.exitCode;
    setTimeout(() => process.exit(), exitGraceMs).unref();
  });
  return connection;
}
