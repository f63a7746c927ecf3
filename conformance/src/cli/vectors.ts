import { Command } from "commander";
import { findProtocol } from "../protocols/all.js";

/** `vectors <protocol>` */
export function vectorsCommand(): Command {
  return new Command("vectors")
    .description("writes all vectors as JSON: valid and invalid messages, for suites in any language")
    .argument("<protocol>")
    .option("--method <method>", "writes only the vectors of this method")
    .action((name: string, { method }: { method?: string }) => {
      const vectors = findProtocol(name).vectors();
      const wanted = vectors.filter((vector) => method === undefined || vector.method === method);
      process.stdout.write(`${JSON.stringify(wanted, null, 2)}\n`);
    });
}
