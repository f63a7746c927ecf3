// For backends.
export {
  listenSman,
  type SmanHandler,
  smanHandler,
  type SmanHandlerOptions,
  type SmanListener,
  type SmanListenOptions,
} from "./backend/listen.js";

// For plugins.
export {
  dialSman,
  listenSmanPlugin,
  type SmanDialOptions,
  type SmanPluginListener,
  type SmanPluginListenOptions,
} from "./plugin/listen.js";
