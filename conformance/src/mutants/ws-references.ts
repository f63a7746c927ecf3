import { type Mutant, patchOf } from "../core/mutant.js";
import type { WsClientReference, WsServerReference } from "../core/protocol.js";
import type { Target } from "../wire/link.js";
import { wsTarget } from "../wire/ws.js";
import { type WsPaths, wsUrl } from "../wire/ws-address.js";
import { wsSeat } from "../wire/ws-seat.js";
import type { BehaviorProvider } from "../core/run/behaviors.js";

/** Opens a reference of a protocol that has WebSockets only, broken or not. */
export async function openWsReference(
  reference: WsServerReference | WsClientReference,
  paths: WsPaths | undefined,
  mutant: Mutant | undefined,
): Promise<OpenReference> {
  if ("dial" in reference) return { target: dialing(reference, paths, mutant), close: async () => {} };
  const { url, token, control, close } = await reference.listen(mutant && patchOf(mutant));
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const target = wsTarget({ url, headers, paths, control });
  return { target: { ...target, description: mutant?.id ?? "the reference" }, close };
}

/** Every connection has a peer of its own. */
function dialing(reference: WsClientReference, paths: WsPaths | undefined, mutant: Mutant | undefined): Target {
  return {
    transport: "ws",
    description: mutant?.id ?? "the reference",
    async open(options) {
      const place = await wsSeat().prepare(options);
      const { url = "", session = "", token = "" } = place.variables;
      const peer = reference.dial(
        { url: paths === undefined ? url : wsUrl(url, paths, { id: session }), token, variables: options.variables },
        mutant && patchOf(mutant),
      );
      const link = await place.taken;
      const close = async (): Promise<void> => {
        peer.close();
        await link.close();
        await place.close();
      };
      return { ...link, close };
    },
  };
}

/** A reference that can be judged, and what ends it. */
export interface OpenReference {
  readonly target: Target;
  /** How the suite steers it. Default: by commands. */
  readonly behaviors?: BehaviorProvider | undefined;
  close(): Promise<void>;
}
