import { bundle, searchWorker } from "../../../scripts/testing/bundle.js";

const { client, server } = await bundle(import.meta.url, {
  client: "../src/main.ts",
  server: "../../kaiak-server/src/main.ts",
  ...searchWorker,
});

/** The commands of the client and of this repository's server. */
export const programs = { client: [process.execPath, client], server: [process.execPath, server] } as const;
