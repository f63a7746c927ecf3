import { Command } from "commander";
import { openReference } from "../mutants/references.js";
import { type KillMatrix, runMutants } from "../mutants/run-mutants.js";
import { findProtocol } from "../protocols/all.js";
import { killMatrixReport } from "../report/kill-matrix.js";
import { launchTarget } from "../wire/launch.js";
import { stdioTarget } from "../wire/stdio.js";

interface Flags {
  role: string;
  filter?: string[];
  process?: boolean;
  json?: boolean;
  list?: boolean;
}

/** `mutants <protocol> --role <role>`: proves that the suite can fail. */
export function mutantsCommand(exit: (code: number) => void): Command {
  return new Command("mutants")
    .description(
      "runs the suite against broken references: for each, a check of the violated requirement must fail, and no other check",
    )
    .argument("<protocol>")
    .requiredOption("--role <role>")
    .option("--filter <patterns...>", "mutants to run; * matches any text")
    .option("--process", "runs each mutant in its own process, over stdio")
    .option("--list", "only lists the mutants")
    .option("--json", "writes the kill matrix (mutants and the checks that failed) as JSON")
    .action(async (name: string, flags: Flags) => {
      const { role, filter, json, list } = flags;
      const protocol = findProtocol(name);
      if (list === true) {
        for (const mutant of protocol.mutants)
          if (mutant.role === role) process.stdout.write(`${mutant.id}  [${mutant.violates.join(", ")}]\n`);
        return;
      }
      const ownCommand = [
        process.execPath,
        ...process.execArgv,
        process.argv[1] ?? "",
        "reference",
        name,
        "--role",
        role,
      ];
      const matrix = await runMutants({
        protocol,
        role,
        filter,
        ...(flags.process === true && {
          open: async (mutant, http) => {
            if (http) return openReference(protocol, role, mutant, http);
            const argv = mutant === undefined ? ownCommand : [...ownCommand, "--mutant", mutant.id];
            const steered = protocol.roles[role]?.steered === true;
            return {
              target: steered ? launchTarget({ argv, control: "lines" }) : stdioTarget({ argv }),
              close: async () => {},
            };
          },
          jobs: 1,
          timeScale: 1,
        }),
      });
      process.stdout.write(json === true ? `${JSON.stringify(brief(matrix), null, 2)}\n` : killMatrixReport(matrix));
      exit(matrix.ok ? 0 : 1);
    });
}

/** The matrix without the complete reports of its controls. */
function brief({ controls, ...rest }: KillMatrix): object {
  return {
    controls: controls.map(({ outcome, error, run: { transport }, totals }) => ({ transport, outcome, error, totals })),
    ...rest,
  };
}
