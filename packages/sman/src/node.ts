// For backends.
export {
  listenSman,
  type SmanHandler,
  smanHandler,
  type SmanHandlerOptions,
  type SmanListener,
  type SmanListenOptions,
} from "./node-backend.js";

// For plugins.
export {
  dialSman,
  listenSmanPlugin,
  type SmanDialOptions,
  type SmanPluginListener,
  type SmanPluginListenOptions,
} from "./node-plugin.js";
