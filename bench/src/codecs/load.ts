import type { BenchCodec } from "./codec.js";

const loaders: Record<string, () => Promise<BenchCodec>> = {
  editwire: async () => (await import("./editwire.js")).lines,
  "editwire/content-length": async () => (await import("./editwire.js")).headers,
  "editwire/detecting": async () => (await import("./editwire.js")).detected,
  floor: async () => (await import("./plain.js")).floor,
  "acp-sdk": async () => (await import("./others.js")).acpSdk,
  "mcp-sdk": async () => (await import("./others.js")).mcpSdk,
  "vscode-jsonrpc": async () => (await import("./others.js")).vscodeJsonRpc,
};

/** Loads a contender's codec. */
export function loadCodec(name: string): Promise<BenchCodec> {
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
  if (load === undefined) throw new Error(`there is no codec ${name}`);
  return load();
}
