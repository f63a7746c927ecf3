import { checkText } from "@editwire/session";
import { connectSocket, type SocketOptions } from "@editwire/transport/node";
import { ecaFraming } from "../shared/peer.js";
import type { EcaClient, EcaClientOptions } from "./api.js";
import { checkClientOptions, connectEca } from "./client.js";

/** How a socket is dialed and used. */
export interface EcaDialOptions extends EcaClientOptions, SocketOptions {}

/**
 * Connects to a server's Unix socket, or to its named pipe on Windows, and initializes the server. Throws
 * `WireError("not_connected")` with the path when no process listens there, and what `connectEca` throws.
 */
export async function dialEca(path: string, options: EcaDialOptions = {}): Promise<EcaClient> {
  checkText("dialEca", "path", path);
  checkClientOptions("dialEca", options);
  return connectEca(await connectSocket({ path }, ecaFraming(), options), options);
}
