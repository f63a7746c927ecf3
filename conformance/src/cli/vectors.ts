import { Command } from "commander";
import { findProtocol } from "../protocols/all.js";

/** `vectors <protocol>` */
export function vectorsCommand(): Command {
  return new Command("vectors")
    .description("writes the vectors as JSON: messages, valid and not, for suites in any language")
    .argument("<protocol>")
    .option("--method <method>", "only the vectors of one method")
    .action((name: string, { method }: { method?: string }) => {
      const vectors = findProtocol(name).vectors();
      const wanted = vectors.filter((vector) => method === undefined || vector.method === method);
      process.stdout.write(`${JSON.stringify(wanted, null, 2)}\n`);
    });
}
