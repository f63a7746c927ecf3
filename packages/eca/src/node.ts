export { spawnEca, type SpawnEcaOptions } from "./client/spawn.js";
export { type EcaStdioOptions, serveEcaStdio } from "./server/stdio.js";
