export { spawnEcaServer, type SpawnEcaServerOptions } from "./client-spawn.js";
export { type EcaStdioOptions, serveEcaStdio } from "./server-stdio.js";
