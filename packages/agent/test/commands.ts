import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";

const programs = await bundle(import.meta.url, {
  acpAgent: "fixtures/acp-agent.ts",
  ecaServer: "fixtures/eca-server.ts",
  kaiakServer: "fixtures/kaiak-server.ts",
  helixZedAgent: "fixtures/helix-zed-agent.ts",
  idePlugin: "fixtures/ide-plugin.ts",
  ...toolWorker,
});

/** The command lines of the fixtures. */
export const commands = {
  acpAgent: [process.execPath, programs.acpAgent],
  ecaServer: [process.execPath, programs.ecaServer],
  kaiakServer: [process.execPath, programs.kaiakServer],
  helixZedAgent: [process.execPath, programs.helixZedAgent],
  idePlugin: [process.execPath, programs.idePlugin],
} as const;
