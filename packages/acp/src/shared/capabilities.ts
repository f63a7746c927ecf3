import { acp, type Acp, type ContentBlock } from "@editwire/acp-schema";
import { type Connection, isObject, methodOf, WireError } from "@editwire/core";

/** Says whether capabilities declare one, given by its path such as `fs.readTextFile`: by true, or by an object. */
export function isDeclared(capabilities: unknown, path: string): boolean {
  let found = capabilities;
  for (const key of path.split(".")) found = isObject(found) ? found[key] : undefined;
  return found === true || isObject(found);
}

/** Checks that the other side has declared a capability. */
export interface Demands {
  /** Throws `WireError("invalid_params")` for a capability that the peer did not declare. */
  check(method: string, path: string | undefined): void;
  declares(path: string): boolean;
}

/** Demands on a peer, by its declared capabilities. With `ignored`, `check` does nothing. */
export function demandsOn(peer: string, capabilities: () => unknown, ignored: boolean | undefined): Demands {
  const declares = (path: string): boolean => isDeclared(capabilities(), path);
  return {
    declares,
    check(method, path) {
      if (path === undefined || ignored === true || declares(path)) return;
      const data = { capability: path };
      throw new WireError("invalid_params", `${method}: the ${peer} does not declare the capability ${path}`, { data });
    },
  };
}

/** A connection that refuses the methods whose capability the peer did not declare. */
export function guarded<Self extends "client" | "agent">(
  connection: Connection<Acp, Self>,
  demands: Demands,
  protocol: Acp = acp,
): Connection<Acp, Self> {
  const check = (method: string): void => demands.check(method, methodOf(protocol, method)?.capability);
  return {
    ...connection,
    async request(method, params, options) {
      check(method);
      return connection.request(method, params, options);
    },
    notify(method, params) {
      check(method);
      return connection.notify(method, params);
    },
  };
}

const blockCapabilities: Readonly<Record<string, string>> = {
  image: "promptCapabilities.image",
  audio: "promptCapabilities.audio",
  resource: "promptCapabilities.embeddedContext",
};

/**
 * The capability that a block of a prompt takes; `undefined` for `text` and `resource_link`, which every agent takes.
 */
export function capabilityOf({ type }: ContentBlock): string | undefined {
  return blockCapabilities[type];
}
