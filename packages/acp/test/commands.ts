import { fileURLToPath } from "node:url";
import { bundle } from "../../../scripts/testing/bundle.js";

const programs = await bundle(import.meta.url, {
  agent: "fixtures/agent.ts",
  officialAgent: "fixtures/official-agent.ts",
  signInAgent: "fixtures/sign-in-agent.ts",
  fullAgent: "fixtures/full-agent.ts",
  fullOfficialAgent: "fixtures/full-official-agent.ts",
  officialV2Agent: "fixtures/official-v2-agent.ts",
});

/** The command lines of the fixtures. */
export const commands = {
  agent: [process.execPath, programs.agent],
  headerAgent: [process.execPath, fileURLToPath(new URL("fixtures/header-agent.mjs", import.meta.url))],
  officialAgent: [process.execPath, programs.officialAgent],
  signInAgent: [process.execPath, programs.signInAgent],
  fullAgent: [process.execPath, programs.fullAgent],
  fullOfficialAgent: [process.execPath, programs.fullOfficialAgent],
  officialV2Agent: [process.execPath, programs.officialV2Agent],
} as const;
