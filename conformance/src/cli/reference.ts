import { Command } from "commander";
import { serveAdapter } from "../adapter.js";
import { UsageError } from "../core/errors.js";
import { profileOf } from "../core/talk/find.js";
import { patchOf } from "../core/mutant.js";
import { openReferenceClient } from "../mutants/reference-client.js";
import { referenceOf, serveOf } from "../mutants/references.js";
import { serveWebSockets } from "../mutants/ws-reference-program.js";
import { findProtocol } from "../protocols/all.js";
import { processPipe } from "../wire/process-pipe.js";

interface ReferenceFlags {
  role: string;
  mutant?: string;
  profile?: string;
}

/**
 * `reference <protocol> --role <role> [--mutant id] [--profile name]`: the reference peer on the stdin and stdout of
 * this process. For a client, these carry the lines that steer it.
 */
export function referenceCommand(): Command {
  return new Command("reference")
    .description(
      "serves the reference peer on stdin and stdout; a client reads its actions there and starts its agent; " +
        "a peer of a WebSocket protocol dials $CONFORMANCE_URL or listens",
    )
    .argument("<protocol>")
    .requiredOption("--role <role>")
    .option("--mutant <id>", "serves this broken reference")
    .option("--profile <name>", "the dialect that it speaks, such as v1 for ACP; default: that of the specification")
    .action(async (name: string, { role, mutant: id, profile }: ReferenceFlags) => {
      const protocol = findProtocol(name);
      const mutant = protocol.mutants.find((one) => one.id === id);
      if (id !== undefined && mutant === undefined) throw new UsageError(`unknown mutant "${id}"`);
      const reference = referenceOf(protocol, role);
      const dialect = reference.profiles?.[profileOf(protocol, profile).name];
      const patch = { ...dialect, ...(mutant && patchOf(mutant)) };
      if (reference.ws !== undefined) return serveWebSockets(reference.ws, protocol.ws, patch);
      const serve = serveOf(reference, patch);
      if (protocol.roles[role]?.steered === true)
        return serveAdapter((init) => openReferenceClient(reference, serve, init));
      const { pipe, closed } = processPipe();
      serve(pipe);
      await closed;
    });
}
