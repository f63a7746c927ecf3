import { once } from "node:events";
import { serveAdapter } from "../adapter.js";
import { UsageError } from "../core/errors.js";
import type { Patch } from "../core/mutant.js";
import type { WsClientReference, WsServerReference } from "../core/protocol.js";
import { type WsPaths, wsUrl } from "../wire/ws-address.js";

/**
 * A reference as a program of its own. One that dials takes its address from the environment; one that listens is
 * steered on stdin and stdout.
 */
export async function serveWebSockets(
  reference: WsServerReference | WsClientReference,
  paths: WsPaths | undefined,
  patch: Patch | undefined,
): Promise<void> {
  if ("listen" in reference) {
    return serveAdapter(async () => {
      const { url, token, control, close } = await reference.listen(patch);
      return { do: (action, args) => control.do(action, args), close, ready: { url, token } };
    });
  }
  const { CONFORMANCE_URL: url, CONFORMANCE_SESSION: id = "", CONFORMANCE_TOKEN: token = "" } = process.env;
  if (url === undefined) throw new UsageError("expected the address to dial in CONFORMANCE_URL");
  const variables = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith("CONFORMANCE_") && value !== undefined ? [[name.slice(12).toLowerCase(), value]] : [],
    ),
  );
  const to = { url: paths === undefined ? url : wsUrl(url, paths, { id }), token, variables };
  const peer = reference.dial(to, patch);
  await once(process.stdin.resume(), "end");
  peer.close();
}
