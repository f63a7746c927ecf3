import { Command } from "commander";
import { UsageError } from "../core/errors.js";
import { allQuotes } from "../core/registry/registry.js";
import { levelText } from "../core/registry/requirement.js";
import { protocols } from "../protocols/all.js";

/** `explain <id>`: everything that is known about one requirement, case or mutant. */
export function explainCommand(): Command {
  return new Command("explain")
    .description(
      "explains a requirement (its sentence in the spec, the cases, monitors and vectors that judge it, and " +
        "the mutants that prove them), a case or a mutant",
    )
    .argument("<id>", "such as ACP-CANCEL-002, acp.agent.cancel.running or acp.agent/cancel-ignored")
    .option("--json")
    .action((id: string, { json }: { json?: boolean }) => {
      const found = explain(id);
      process.stdout.write(json === true ? `${JSON.stringify(found, null, 2)}\n` : textOf(found));
    });
}

type Facts = Readonly<Record<string, string | readonly string[]>>;

/** The facts by name. Throws a `UsageError` for an unknown id. */
function explain(id: string): Facts {
  for (const protocol of protocols) {
    const { requirements } = protocol.registry();
    const row = requirements.find((one) => one.id === id || one.aka.includes(id));
    if (row !== undefined) {
      return {
        requirement: row.id,
        ...(row.aka.length > 0 && { "also known as": row.aka }),
        protocol: protocol.title,
        text: row.text,
        level: row.basis === "stated" ? `${row.level} (stated)` : levelText(row),
        "can be violated by": row.role,
        ...(row.transports.length > 0 && { transports: row.transports }),
        ...(row.profiles.length > 0 && { profiles: row.profiles }),
        quotes: allQuotes(row).flatMap(({ at, text, mutants = [] }) => [
          `${at}: ${text}`,
          ...(mutants.length > 0 ? [`  broken by ${mutants.join(", ")}`] : []),
        ]),
        cites: row.cites,
        "judged by": row.excluded === undefined ? row.oracle : `nobody: ${row.excluded}`,
        cases: protocol.cases.filter(({ emits }) => emits.includes(row.id)).map((one) => `${one.id}: ${one.title}`),
        monitors: protocol.monitors.filter(({ req }) => req.includes(row.id)).map((one) => `${one.id}: ${one.title}`),
        vectors: protocol
          .vectors()
          .filter(({ req }) => req === row.id)
          .map((one) => `${one.id} (${one.valid ? "valid" : "invalid"})`),
        mutants: protocol.mutants.filter(({ violates }) => violates.includes(row.id)).map((one) => one.id),
      };
    }
    const texts = (ids: readonly string[]): string[] =>
      ids.map((req) => `${req}: ${requirements.find((one) => one.id === req)?.text ?? "?"}`);
    const one = protocol.cases.find((each) => each.id === id);
    if (one !== undefined) {
      const { needs = [], transports = [], faults = [], isolation = "session", smoke = false } = one;
      return {
        case: id,
        title: one.title,
        role: one.role,
        judges: texts(one.emits),
        needs,
        transports,
        faults,
        isolation,
        smoke: String(smoke),
      };
    }
    const mutant = protocol.mutants.find((each) => each.id === id);
    if (mutant !== undefined) {
      return {
        mutant: id,
        role: mutant.role,
        violates: mutant.violates.length === 0 ? "nothing: it must pass" : texts(mutant.violates),
        "may fail too": texts(mutant.collateral ?? []),
      };
    }
  }
  throw new UsageError(`unknown requirement, case or mutant "${id}"`);
}

function textOf(facts: Facts): string {
  return Object.entries(facts)
    .filter(([, value]) => value.length > 0)
    .map(([name, value]) =>
      typeof value === "string" ? `${name}: ${value}\n` : `${name}:\n${value.map((line) => `  ${line}\n`).join("")}`,
    )
    .join("");
}
