import type { Contender } from "./contender.js";

const loaders = {
  editwire: async () => (await import("./editwire.js")).contender,
  "editwire/acp": async () => (await import("./editwire-acp.js")).contender,
  "editwire/acp-v1": async () => (await import("./editwire-acp.js")).v1Contender,
  floor: async () => (await import("./floor.js")).contender,
  control: async () => (await import("./control.js")).contender,
  "editwire/helix": async () => (await import("./helix.js")).contender,
  "floor/helix": async () => (await import("./helix-floor.js")).contender,
  "editwire/sman": async () => (await import("./sman.js")).contender,
  "floor/sman": async () => (await import("./sman-floor.js")).contender,
  "editwire/kaiak": async () => (await import("./kaiak.js")).contender,
  "vscode-jsonrpc/kaiak": async () => (await import("./kaiak-vscode-jsonrpc.js")).contender,
  "acp-sdk": async () => (await import("./acp-sdk.js")).contender,
  "vscode-jsonrpc": async () => (await import("./vscode-jsonrpc.js")).contender,
  "mcp-sdk": async () => (await import("./mcp-sdk.js")).contender,
  "json-rpc-2.0": async () => (await import("./json-rpc-2.js")).contender,
} satisfies Record<string, () => Promise<Contender>>;

/** Who can be measured over a connection. */
export type ContenderName = keyof typeof loaders;

/** Loads a contender, and nothing of the others. */
export function loadContender(name: string): Promise<Contender> {
  if (!Object.hasOwn(loaders, name)) throw new Error(`there is no contender ${name}`);
  return loaders[name as ContenderName]();
}
