import { Command } from "commander";
import { UsageError } from "../core/errors.js";
import type { Mutant } from "../core/mutant.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import { standBetween } from "../mutants/man-in-the-middle.js";
import { referenceOf } from "../mutants/references.js";
import { rewriterOf } from "../mutants/rewriter.js";
import { findProtocol } from "../protocols/all.js";

interface Flags {
  role?: string;
  mutant?: string;
  list?: boolean;
}

/** `mutate <protocol> --role <role> --mutant <id> -- <command…>`: breaks a program in one point. */
export function mutateCommand(exit: (code: number) => void): Command {
  return new Command("mutate")
    .description(
      "starts a program that speaks on stdin and stdout, and breaks what it sends in one point; use it to test your own " +
        "test suite, client or agent",
    )
    .argument("<protocol>", "the protocol, such as acp")
    .argument("[command...]", "the program to start, after --; with the role client, the agent that the client starts")
    .option("--role <role>", "the role that is broken, such as agent")
    .option("--mutant <id>", "the mutant; the part after the / is enough")
    .option("--list", "lists the mutants that break any program, with the requirements that they violate")
    .action(async (name: string, command: string[], flags: Flags) => {
      const protocol = findProtocol(name);
      if (flags.list === true) return list(protocol, flags.role);
      exit(await mutate(protocol, command, flags));
    });
}

/** The mutants of a role that are rewriters of messages. */
function offered(protocol: ConformanceProtocol, role: string): Mutant[] {
  const reference = referenceOf(protocol, role);
  return protocol.mutants.filter((one) => one.role === role && rewriterOf(one, reference) !== undefined);
}

function list(protocol: ConformanceProtocol, role: string | undefined): void {
  for (const one of role === undefined ? Object.keys(protocol.reference) : [role])
    for (const { id, violates } of offered(protocol, one)) process.stdout.write(`${id}  [${violates.join(", ")}]\n`);
}

async function mutate(
  protocol: ConformanceProtocol,
  argv: readonly string[],
  { role, mutant: id }: Flags,
): Promise<number> {
  if (role === undefined || id === undefined || argv.length === 0)
    throw new UsageError("expected --role, --mutant and a command after --; --list shows the mutants");
  const mutant = protocol.mutants.find((one) => one.role === role && (one.id === id || one.id.endsWith(`/${id}`)));
  if (mutant === undefined)
    throw new UsageError(`expected a mutant of the ${role} of ${protocol.name}, received "${id}"`);
  const rewriter = rewriterOf(mutant, referenceOf(protocol, role), protocol.envelope);
  if (rewriter === undefined)
    throw new UsageError(`${mutant.id} changes what only the reference decides; --list shows what breaks any program`);
  const breaks = protocol.roles[role]?.steered === true ? "peer" : "program";
  const { code, messages, changed } = await standBetween({
    argv,
    breaks,
    rewriter,
    stdin: process.stdin,
    stdout: process.stdout,
  }).catch((error: Error) => {
    throw new UsageError(`cannot start \`${argv.join(" ")}\`: ${error.message}`);
  });
  process.stderr.write(`${mutant.id}: changed ${changed} of ${messages} messages\n`);
  return code;
}
