// One process of the demo: node part.ts NAME, with its options in the variable PART.
import type { PartName, PartOptions } from "./messages.js";

type Run = (options: PartOptions) => Promise<void>;

/** A process loads what it needs, and nothing of the others. */
const parts: Readonly<Record<PartName, () => Promise<Run>>> = {
  "helix-host": async () => (await import("./parts/helix-host.js")).runHelixHost,
  ide: async () => (await import("./parts/ide.js")).runIde,
  agent: async () => (await import("./parts/agent.js")).runAgent,
  "eca-editor": async () => (await import("./parts/eca-editor.js")).runEcaEditor,
  "acp-editor": async () => (await import("./parts/acp-editor.js")).runAcpEditor,
  "kaiak-client": async () => (await import("./parts/kaiak-client.js")).runKaiakClient,
};

process.on("disconnect", () => process.exit()); // the demo is gone
const run = await parts[process.argv[2] as PartName]();
await run(JSON.parse(process.env["PART"] ?? "{}") as PartOptions);
