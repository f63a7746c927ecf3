import { type Peer, WireError } from "@editwire/core";
import { type Listeners, whenSilent, writtenBy } from "@editwire/session";
import type { Program } from "@editwire/transport";

/**
 * Calls `onError` once if the server has sent nothing five seconds after the first request. Kaiak has no handshake, so
 * nothing else shows that a program does not speak it.
 */
export function watchSilence(peer: Peer, program: Program | undefined, onError: Listeners["onError"]): Peer {
  let stop: (() => void) | undefined;
  let isHeard = false;
  const heard = (): void => {
    if (isHeard) return;
    isHeard = true;
    stop?.();
  };
  return {
    request(method, params, options) {
      const answer = peer.request(method, params, options);
      if (isHeard) return answer;
      answer.then(heard, heard);
      stop ??= whenSilent(method, program, (late) =>
        onError(new WireError("not_connected", `${late}${writtenBy(program)}`), method),
      );
      return answer;
    },
    notify: (method, params) => peer.notify(method, params),
    serve: (handler) =>
      peer.serve({
        ...handler,
        request(method, params, context) {
          heard();
          return handler.request(method, params, context);
        },
        notification(method, params, context) {
          heard();
          return handler.notification(method, params, context);
        },
      }),
    close: () => peer.close(),
    closed: peer.closed,
  };
}
