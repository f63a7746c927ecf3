import { Command } from "commander";
import { roleOf } from "../core/talk/find.js";
import { selectCases } from "../core/run/select.js";
import { findProtocol } from "../protocols/all.js";

interface Flags {
  role?: string;
  filter?: string[];
  req?: string[];
  json?: boolean;
}

/** `list <protocol>` */
export function listCommand(): Command {
  return new Command("list")
    .description("lists cases and the requirements that they judge")
    .argument("<protocol>")
    .option("--role <role>", "only the cases for one role; default: those for each role, one after the other")
    .option("--filter <patterns...>")
    .option("--req <patterns...>")
    .option("--json")
    .action((name: string, { role, filter, req, json }: Flags) => {
      const protocol = findProtocol(name);
      if (role !== undefined) roleOf(protocol, role);
      const selected = selectCases(protocol.cases, { role, filter, requirements: req });
      const cases = Object.keys(protocol.roles).flatMap((each) => selected.filter((one) => one.role === each));
      if (json === true) process.stdout.write(`${JSON.stringify(cases, null, 2)}\n`);
      else for (const { id, title, emits } of cases) process.stdout.write(`${id}  ${title}  [${emits.join(", ")}]\n`);
    });
}
