import { Command } from "commander";
import { selectCases } from "../core/select.js";
import { findProtocol } from "../protocols/all.js";

/** `list <protocol> --role <role>` */
export function listCommand(): Command {
  return new Command("list")
    .description("lists cases and the requirements that they judge")
    .argument("<protocol>")
    .requiredOption("--role <role>")
    .option("--filter <patterns...>")
    .option("--req <patterns...>")
    .option("--json")
    .action(
      (
        name: string,
        { role, filter, req, json }: { role: string; filter?: string[]; req?: string[]; json?: boolean },
      ) => {
        const cases = selectCases(findProtocol(name).cases, { role, filter, requirements: req });
        if (json === true) process.stdout.write(`${JSON.stringify(cases, null, 2)}\n`);
        else for (const { id, title, emits } of cases) process.stdout.write(`${id}  ${title}  [${emits.join(", ")}]\n`);
      },
    );
}
