import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { clausesWithoutMutants, gapFile, gapProblems, knownGaps } from "../core/registry/clauses.js";
import { packageRoot } from "../core/registry/package-root.js";
import { type Pins, pinsOf } from "../core/registry/registry.js";
import { registryProblems } from "../core/registry/check.js";
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
      const found = clausesWithoutMutants(protocol.registry(), protocol);
      const problems = [
        ...registryProblems(protocol.registry(), protocol),
        ...gapProblems(found, knownGaps(protocol.name)),
      ];
      for (const problem of problems) process.stderr.write(`${problem}\n`);
      const { requirements, statements } = protocol.registry();
      process.stdout.write(
        `${statements.length} statements, ${requirements.length} requirements, ` +
          `${found.length} clauses without a mutant, ${problems.length} problems\n`,
      );
      exit(problems.length === 0 ? 0 : 1);
    });
  registry
    .command("clauses")
    .description("lists the quotes that no mutant violates by itself")
    .argument("<protocol>")
    .option("--shrink", "removes closed gaps from the list of known gaps; never adds one")
    .action((name: string, { shrink }: { shrink?: boolean }) => {
      const protocol = findProtocol(name);
      const found = clausesWithoutMutants(protocol.registry(), protocol);
      for (const clause of found) process.stdout.write(`${clause}\n`);
      if (shrink !== true) return;
      const left = knownGaps(protocol.name).filter((clause) => found.includes(clause));
      writeFileSync(gapFile(protocol.name), `${JSON.stringify(left, null, 2)}\n`);
    });
  registry
    .command("pin")
    .description("records that the spec was reviewed: rewrites pins.json")
    .argument("<protocol>")
    .action((name: string) => {
      const { name: folder } = findProtocol(name);
      const file = join(packageRoot(), `src/protocols/${folder}/registry/pins.json`);
      // A new protocol has none yet.
      const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Pins) : undefined;
      const pins = pinsOf(readFileSync(join(packageRoot(), `specs/${folder}.md`), "utf8"), before);
      writeFileSync(file, `${JSON.stringify(pins, null, 2)}\n`);
    });
  return registry;
}
