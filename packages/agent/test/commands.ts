import { bundle, searchWorker } from "../../../scripts/testing/bundle.js";

const programs = await bundle(import.meta.url, {
  acpAgent: "fixtures/acp-agent.ts",
  ecaServer: "fixtures/eca-server.ts",
  gateway: "fixtures/gateway.ts",
  farGateway: "fixtures/far-gateway.ts",
  kaiakServer: "fixtures/kaiak-server.ts",
  helixZedAgent: "fixtures/helix-zed-agent.ts",
  idePlugin: "fixtures/ide-plugin.ts",
  ...searchWorker,
});

/** The command lines of the fixtures. */
export const commands = {
  acpAgent: [process.execPath, programs.acpAgent],
  ecaServer: [process.execPath, programs.ecaServer],
  acpToEca: [process.execPath, programs.gateway, "acp", "eca", process.execPath, programs.ecaServer],
  ecaToAcp: [process.execPath, programs.gateway, "eca", "acp", process.execPath, programs.acpAgent],
  kaiakServer: [process.execPath, programs.kaiakServer],
  kaiakToAcp: [process.execPath, programs.farGateway, "kaiak", "acp", process.execPath, programs.acpAgent],
  acpToKaiak: [process.execPath, programs.farGateway, "acp", "kaiak", process.execPath, programs.kaiakServer],
  helixZedToAcp: [process.execPath, programs.farGateway, "helix-zed", "acp", process.execPath, programs.acpAgent],
  acpToHelixZed: [process.execPath, programs.farGateway, "acp", "helix-zed", process.execPath, programs.helixZedAgent],
  helixZedAgent: [process.execPath, programs.helixZedAgent],
  idePlugin: [process.execPath, programs.idePlugin],
} as const;
