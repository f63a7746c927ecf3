import { createSmanBackend } from "@editwire/sman";
import { listenSmanPlugin } from "@editwire/sman/node";
import { connectWebSocket } from "@editwire/transport/node";
import type { Contender } from "./contender.js";

const projectKey = "bench";

/** A backend and a plugin of this repository with default settings, every message validated at both ends. */
export const contender: Contender = {
  async listen() {
    const plugin = { tools: { grep_file: ({ pattern }: { pattern: string }) => pattern } };
    return (await listenSmanPlugin(plugin, { projectKey, maxConnections: 10_000 })).url;
  },
  async dial(address) {
    const site = { sessionId: "session", projectKey };
    const backend = createSmanBackend();
    const url = `${address}/ws/agent/chat?${new URLSearchParams(site).toString()}`;
    const ide = backend.attach(await connectWebSocket(url), site);
    return {
      call: async (_method, params) =>
        JSON.parse((await ide.call("grep_file", { pattern: JSON.stringify(params) })).result) as unknown,
      update: () => {},
      close: () => backend.close(),
    };
  },
};
