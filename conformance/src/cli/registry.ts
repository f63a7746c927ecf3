import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { packageRoot } from "../core/package-root.js";
import { type Pins, pinsOf } from "../core/registry.js";
import { registryProblems } from "../core/registry-check.js";
import { findProtocol } from "../protocols/all.js";

/** `registry check <protocol>` and `registry pin <protocol>` */
export function registryCommand(exit: (code: number) => void): Command {
  const registry = new Command("registry").description("checks or pins the registry of requirements");
  registry
    .command("check")
    .description(
      "fails if the spec has an unquoted statement, a quote is not in the spec, or a requirement has no check",
    )
    .argument("<protocol>")
    .action((name: string) => {
      const protocol = findProtocol(name);
      const problems = registryProblems(protocol.registry(), protocol);
      for (const problem of problems) process.stderr.write(`${problem}\n`);
      const { requirements, statements } = protocol.registry();
      process.stdout.write(
        `${statements.length} statements, ${requirements.length} requirements, ${problems.length} problems\n`,
      );
      exit(problems.length === 0 ? 0 : 1);
    });
  registry
    .command("pin")
    .description("records that the spec was reviewed: rewrites pins.json")
    .argument("<protocol>")
    .action((name: string) => {
      const { name: folder } = findProtocol(name);
      const file = join(packageRoot(), `src/protocols/${folder}/registry/pins.json`);
      const before = JSON.parse(readFileSync(file, "utf8")) as Pins;
      const pins = pinsOf(readFileSync(join(packageRoot(), `specs/${folder}.md`), "utf8"), before);
      writeFileSync(file, `${JSON.stringify(pins, null, 2)}\n`);
    });
  return registry;
}
