import { memoryPair } from "@editwire/transport";
import { createSmanBackend } from "./backend/backend.js";
import type { SmanBackend, SmanBackendOptions, SmanIde, SmanSite } from "./backend/api.js";
import { createSmanPlugin } from "./plugin/plugin.js";
import type { SmanPluginConnection, SmanPlugin, SmanPluginOptions } from "./plugin/api.js";

/** How the two sides of a pair work. */
export interface SmanPairOptions {
  /** Options of the backend. */
  readonly backend?: SmanBackendOptions | undefined;
  /** Options of the plugin. `sessionId` is `test-123` and `projectKey` is `autoloop` by default. */
  readonly plugin?: (Partial<Omit<SmanPluginOptions, "dial">> & Partial<SmanSite>) | undefined;
}

/** A backend and a plugin that are connected. */
export interface SmanPair {
  readonly backend: SmanBackend;
  /** The plugin as the backend sees it. */
  readonly ide: SmanIde;
  readonly plugin: SmanPluginConnection;
  /** Closes both. */
  close(): Promise<void>;
}

/** Connects a backend and a plugin in memory, for tests of applications: no socket, no process. */
export async function smanPair(plugin: SmanPlugin, options: SmanPairOptions = {}): Promise<SmanPair> {
  const site = { sessionId: "test-123", projectKey: "autoloop", ...options.plugin };
  const backend = createSmanBackend(options.backend);
  let connected = (): void => {};
  const ready = new Promise<void>((resolve) => (connected = resolve));
  const connection = createSmanPlugin(plugin, {
    ...site,
    onConnection(state) {
      connected();
      options.plugin?.onConnection?.(state);
    },
    dial() {
      const [there, here] = memoryPair();
      backend.attach(there, site);
      return Promise.resolve(here);
    },
  });
  await ready;
  return {
    backend,
    ide: await backend.ide(),
    plugin: connection,
    async close() {
      await connection.close();
      await backend.close();
    },
  };
}
