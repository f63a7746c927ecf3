import { checkCallable, checkBinding, checkText, safeListeners } from "@editwire/session";
import { listenSocket, type SocketListener, type SocketListenOptions } from "@editwire/transport/node";
import { ecaFraming } from "../shared/peer.js";
import type { EcaServer, EcaServerOptions } from "./api.js";
import { serveEca } from "./server.js";

/** Where a server listens. */
export interface EcaListenOptions extends EcaServerOptions, SocketListenOptions {
  /** The path of a Unix socket, or of a named pipe on Windows. */
  path: string;
}

/**
 * Serves any number of clients on a Unix socket, with mode 0600, or on a named pipe on Windows; ECA has no credentials,
 * so there is no listener that others could reach. A server of ECA has one client: `make` makes one for each. An error
 * of `make` goes to `onError`, and ends that connection. The file that a dead process left is replaced, and `close`
 * removes it. Without `onError`, errors that clients do not get go to stderr. Throws `WireError("not_connected")` when
 * another process serves it.
 */
export async function listenEca(make: () => EcaServer, options: EcaListenOptions): Promise<SocketListener> {
  checkCallable("listenEca", "make", make);
  checkBinding("listenEca", "ecaProfiles", options);
  const { path } = options;
  checkText("listenEca", "path", path);
  const { onError } = safeListeners(options);
  return listenSocket(
    { path },
    ecaFraming(),
    (transport) => {
      try {
        serveEca(transport, make(), options);
      } catch (error) {
        onError(error, undefined);
        void transport.close();
      }
    },
    options,
  );
}
