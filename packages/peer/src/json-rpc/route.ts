import type { PeerHandler, Route, RoutedMessage } from "@editwire/core";
import { encodeMessage } from "./messages.js";

/** Encodes a message as the route carries it. */
export function routedEncoder(route: Route): typeof encodeMessage {
  return (id, method, params) => {
    const routed = route.wrap(method, params);
    return encodeMessage(id, routed.method, routed.params);
  };
}

/** A handler that receives the messages inside the route. An error of `unwrap` counts as thrown by the handler. */
export function routedHandler(route: Route, handler: PeerHandler): PeerHandler {
  return {
    request(method, params, context) {
      const routed = route.unwrap(method, params);
      return handler.request(routed.method, routed.params, context);
    },
    notification(method, params, context) {
      const routed = route.unwrap(method, params);
      return handler.notification(routed.method, routed.params, context);
    },
    session(method, params) {
      const routed = unwrapped(route, method, params);
      return routed && handler.session?.(routed.method, routed.params);
    },
    diagnostic: (diagnostic) => handler.diagnostic?.(diagnostic),
    error: (error, method) => handler.error?.(error, method),
  };
}

/** A message that the route refuses belongs to no session; its sender gets the error when it is handled. */
function unwrapped(route: Route, method: string, params: unknown): RoutedMessage | undefined {
  try {
    return route.unwrap(method, params);
  } catch {
    return undefined;
  }
}
