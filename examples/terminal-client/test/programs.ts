import { bundle } from "../../../scripts/testing/bundle.js";

const { main, agent } = await bundle(import.meta.url, { main: "../src/main.ts", agent: "fixtures/agent.ts" });

/** The commands of the client and of the fixture agent. */
export const programs = { client: [process.execPath, main], agent: [process.execPath, agent] } as const;
