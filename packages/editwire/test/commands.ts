import { bundle } from "../../../scripts/testing/bundle.js";

const programs = await bundle(import.meta.url, {
  editwire: "../src/bin.ts",
  acpAgent: "../../agent/test/fixtures/acp-agent.ts",
  ecaServer: "../../agent/test/fixtures/eca-server.ts",
  kaiakServer: "../../agent/test/fixtures/kaiak-server.ts",
  helixZedAgent: "../../agent/test/fixtures/helix-zed-agent.ts",
});

/** The program under test. EDITWIRE_BIN names another one, such as that of an installed package. */
const program = process.env["EDITWIRE_BIN"] ?? programs.editwire;

/** The command line of the CLI with these arguments. */
export const editwire = (...args: string[]): string[] => [process.execPath, program, ...args];

/** The command lines of agents that do what the words of a prompt say. */
export const agents = {
  acp: [process.execPath, programs.acpAgent],
  eca: [process.execPath, programs.ecaServer],
  kaiak: [process.execPath, programs.kaiakServer],
  helixZed: (url: string) => [process.execPath, programs.helixZedAgent, url],
} as const;
