import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";

const { client, server } = await bundle(import.meta.url, {
  client: "../src/main.ts",
  server: "../../coding-agent/src/main.ts",
  ...toolWorker,
});

/** The commands of the client and of this repository's agent. */
export const programs = { client: [process.execPath, client], server: [process.execPath, server, "kaiak"] } as const;
