import { type Peer, WireError } from "@editwire/core";
import { EchoWatch, firstCall, type Listeners, whenSilent, writtenBy } from "@editwire/session";
import type { Program } from "@editwire/transport";

/**
 * Watches how a server answers the first request. Kaiak has no handshake, so nothing else shows that a program does not
 * speak it. Calls `onError` once if the server has sent nothing after five seconds, and rejects the request if the
 * program sends it back.
 */
export function watchSilence(peer: Peer, program: Program | undefined, onError: Listeners["onError"]): Peer {
  const echo = new EchoWatch(program);
  let stop: (() => void) | undefined;
  let refuse = (_error: WireError): void => {};
  let isHeard = false;
  const heard = (): void => {
    if (isHeard) return;
    isHeard = true;
    stop?.();
  };
  return {
    request(method, params, options) {
      if (isHeard) return peer.request(method, params, options);
      const answer = peer.request(method, params, firstCall(program, options));
      answer.then(heard, heard);
      if (stop !== undefined) return answer;
      stop = whenSilent(method, program, (late) =>
        onError(new WireError("not_connected", `${late}${writtenBy(program)}`), method),
      );
      echo.sends(method, params);
      const refused = new Promise<never>((_, reject) => (refuse = reject));
      return Promise.race([answer, refused]);
    },
    notify: (method, params) => peer.notify(method, params),
    serve: (handler) =>
      peer.serve({
        ...handler,
        request(method, params, context) {
          const error = isHeard ? undefined : echo.errorOf(method, params);
          if (error !== undefined) refuse(error);
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
