import { Command } from "commander";
import { knownElsewhere, stale, undeclared, writeCauses } from "../mutants/elsewhere.js";
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
  every?: boolean;
}

/** `mutants <protocol> --role <role>`: proves that the suite can fail. */
export function mutantsCommand(exit: (code: number) => void): Command {
  return new Command("mutants")
    .description(
      "runs the suite against broken references: for each, a check of the violated requirement must fail, and " +
        "no other check",
    )
    .argument("<protocol>")
    .requiredOption("--role <role>")
    .option("--filter <patterns...>", "mutants to run; * matches any text")
    .option("--process", "runs each mutant in its own process, over stdio")
    .option("--every", "runs each mutant against every case, and lists what fails or is blocked elsewhere")
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
        every: flags.every,
        ...(flags.process === true && {
          open: async (mutant, over) => {
            if (over !== undefined) return openReference(protocol, role, mutant, over);
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
      if (flags.every === true) return exit(everyReport(matrix, flags));
      process.stdout.write(json === true ? `${JSON.stringify(brief(matrix), null, 2)}\n` : killMatrixReport(matrix));
      exit(matrix.ok ? 0 : 1);
    });
}

/** Reports what every mutant did to every case: what fails elsewhere must have a cause. Gives the exit code. */
function everyReport({ protocol, role, mutants }: KillMatrix, { filter }: Flags): number {
  const known = knownElsewhere(protocol, role);
  const unnoticed = mutants.filter(
    ({ verdict, killers, unexpected }) =>
      verdict === "unapplied" ||
      verdict === "error" ||
      (verdict === "survived" && killers.length + unexpected.length === 0),
  );
  const causes = undeclared(mutants, known);
  const problems = [
    ...unnoticed.map(({ id, verdict, reason }) => `${id}: ${verdict} ${reason ?? ""}`),
    ...(filter === undefined ? stale(mutants, known) : []),
  ];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (causes.length > 0) process.stdout.write(`Not declared:\n${writeCauses(causes)}`);
  const changed = mutants.filter(({ elsewhere }) => elsewhere.length > 0).length;
  process.stdout.write(
    `${mutants.length} mutants against every case: ${changed} change more than they violate, ` +
      `${known.length} causes are declared, ${causes.length} are not, ${problems.length} other problems\n`,
  );
  return problems.length + causes.length === 0 ? 0 : 1;
}

/** The matrix without the complete reports of its controls: what each failed is left. */
function brief({ controls, ...rest }: KillMatrix): object {
  return {
    controls: controls.map(({ outcome, error, run: { transport }, totals, cases }) => ({
      transport,
      outcome,
      error,
      totals,
      failed: cases.flatMap(({ checks }) =>
        checks.flatMap(({ id, verdict }) => (verdict === "fail" || verdict === "warn" ? [id] : [])),
      ),
    })),
    ...rest,
  };
}
