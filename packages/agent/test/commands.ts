import { bundle } from "../../../scripts/testing/bundle.js";

const programs = await bundle(import.meta.url, {
  acpAgent: "fixtures/acp-agent.ts",
  ecaServer: "fixtures/eca-server.ts",
  gateway: "fixtures/gateway.ts",
});

/** The command lines of the fixtures. */
export const commands = {
  acpAgent: [process.execPath, programs.acpAgent],
  ecaServer: [process.execPath, programs.ecaServer],
  ecaToAcp: [process.execPath, programs.gateway, "eca", "acp", process.execPath, programs.acpAgent],
} as const;
