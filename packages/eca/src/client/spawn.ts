import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { safeStderr } from "@editwire/session";
import { checkCommand, spawnTransport, type SpawnOptions } from "@editwire/transport/node";
import { checkClientOptions, connectEca } from "./client.js";
import type { EcaClient, EcaClientOptions } from "./api.js";
import { ecaFraming } from "../shared/peer.js";

/** How a server command is started and used. */
export interface EcaSpawnOptions extends Omit<EcaClientOptions, "processId" | "workspaceFolders">, SpawnOptions {
  /** The process with which the server ends; null for none, as for a server in a container. Default: this one. */
  processId?: number | null | undefined;
  /** The folders that the editor has open. Default: the working directory. */
  workspaceFolders?: EcaClientOptions["workspaceFolders"];
}

/**
 * Starts a server command, given as `[command, ...args]`, and initializes it. No shell is used, except on Windows for
 * `.cmd` files, with every argument escaped. Without `onError`, errors go to stderr. Throws `WireError("closed")` with
 * the exit code and the end of its stderr when it exits first, `timeout` with the end of its stderr when it does not
 * answer, and `aborted` when `signal` aborts first.
 */
export async function spawnEca(argv: readonly string[], options: EcaSpawnOptions = {}): Promise<EcaClient> {
  checkCommand("spawnEca", argv);
  checkClientOptions("spawnEca", options);
  const { cwd = process.cwd(), processId = process.pid } = options;
  const { workspaceFolders = [{ uri: pathToFileURL(cwd).href, name: basename(cwd) }] } = options;
  const transport = spawnTransport(argv, ecaFraming(), safeStderr(options));
  return connectEca(transport, { ...options, processId, workspaceFolders });
}
