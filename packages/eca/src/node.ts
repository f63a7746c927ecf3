export { dialEca, type EcaDialOptions } from "./client/dial.js";
export { type EcaSpawnOptions, spawnEca } from "./client/spawn.js";
export { type EcaListenOptions, listenEca } from "./server/listen.js";
export { type EcaStdioOptions, serveEcaStdio } from "./server/stdio.js";
