import { readFileSync } from "node:fs";
import { Command } from "commander";
import { UsageError } from "../core/errors.js";
import { checkTrace } from "../core/verdict/check-trace.js";
import { lookupIn } from "../core/registry/select-in.js";
import { findProtocol } from "../protocols/all.js";
import { dialectLine } from "./dialect-line.js";

/** How many skipped lines are named. */
const SHOWN = 5;

/** `check <trace.ndjson> --protocol acp --role agent`: judges a recorded session by the monitors. */
export function checkCommand(exit: (code: number) => void): Command {
  return new Command("check")
    .description("judges a recorded session: NDJSON that a run, an onWire listener or acpx --format json has written")
    .argument("<trace>", "a file; each line is {from, message}, {direction, message}, or a message alone")
    .requiredOption("--protocol <name>")
    .requiredOption("--role <role>", "the role to judge")
    .option("--profile <name>", "the dialect to judge by, if the protocol has several")
    .option("--json")
    .action(
      (
        file: string,
        { protocol: name, role, profile, json }: { protocol: string; role: string; profile?: string; json?: boolean },
      ) => {
        const protocol = findProtocol(name);
        const { checks, dialect, skipped, exitCode } = checkTrace(protocol, role, read(file), profile);
        const lookup = lookupIn(protocol.registry());
        if (dialect !== undefined) process.stderr.write(dialectLine(protocol, dialect));
        for (const { line, reason } of skipped.slice(0, SHOWN))
          process.stderr.write(`line ${line} skipped: ${reason}\n`);
        if (skipped.length > SHOWN) process.stderr.write(`and ${skipped.length - SHOWN} more lines skipped\n`);
        if (json === true) process.stdout.write(`${JSON.stringify(checks, null, 2)}\n`);
        else {
          for (const { verdict, id, req, message, at, actual } of checks) {
            if (verdict === "pass") continue;
            process.stdout.write(`${verdict} ${id}  ${lookup(req).text}\n`);
            process.stdout.write(`    entry ${at ?? "?"}: ${message ?? ""}\n    ${JSON.stringify(actual)}\n`);
          }
          process.stdout.write(
            `${checks.length} checks, ${checks.filter(({ verdict }) => verdict === "pass").length} passed\n`,
          );
        }
        exit(exitCode);
      },
    );
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
