import { Command } from "commander";
import { patchOf } from "../core/mutant.js";
import { UsageError } from "../core/errors.js";
import { findProtocol } from "../protocols/registered.js";
import { processPipe } from "../wire/process-pipe.js";

/** `reference <protocol> --role <role> [--mutant id]`: the reference peer on this process' stdin and stdout. */
export function referenceCommand(): Command {
  return new Command("reference")
    .description("serves the reference peer on stdin and stdout")
    .argument("<protocol>")
    .requiredOption("--role <role>")
    .option("--mutant <id>", "broken in this way")
    .action(async (name: string, { role, mutant: id }: { role: string; mutant?: string }) => {
      const { reference, mutants } = findProtocol(name);
      const mutant = mutants.find((one) => one.id === id);
      if (id !== undefined && mutant === undefined) throw new UsageError(`there is no mutant "${id}"`);
      const peer = Object.hasOwn(reference, role) ? reference[role] : undefined;
      if (peer === undefined) throw new UsageError(`there is no reference ${role} of ${name}`);
      const { pipe, closed } = processPipe();
      peer.serve(mutant && patchOf(mutant))(pipe);
      await closed;
    });
}
