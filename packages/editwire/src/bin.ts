#!/usr/bin/env node
import { resolve } from "node:path";
import { openBridge } from "./bridge.js";
import { type BridgeArguments, commandLine } from "./command.js";
import { diagnosticLines } from "./diagnostic-lines.js";
import { type SideName, tokenVariables } from "./endpoint.js";
import { errorLine } from "./error-line.js";
import { patience } from "./patience.js";

/** Stdout belongs to the editor: everything for the user goes to stderr. */
const say = (line: string): void => console.error(`editwire: ${line}`);

commandLine(bridge)
  .parseAsync()
  .catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });

async function bridge(options: BridgeArguments, command: readonly string[]): Promise<void> {
  const { from, to, editor, agent, cwd, id, profile, permission, verbose } = options;
  if ((agent ?? { kind: "stdio" }).kind === "stdio" && command.length === 0)
    throw new TypeError("expected the agent's command after --, or --agent with its endpoint");
  if (agent !== undefined && agent.kind !== "stdio" && command.length > 0)
    throw new TypeError(`expected --agent or a command, received both: ${command.join(" ")}`);
  // An empty variable is one that was forgotten.
  const tokenOf = (side: SideName): string | undefined => process.env[tokenVariables[side]] || undefined;
  const tokens = { editor: tokenOf("editor"), agent: tokenOf("agent") };
  const opened = await openBridge({
    editor: { protocol: from, endpoint: editor, token: tokens.editor, cwd: resolve(cwd), permission },
    agent: { protocol: to, endpoint: agent ?? { kind: "stdio" }, token: tokens.agent, command },
    id,
    helixZedProfile: profile,
    onDiagnostic: diagnosticLines(verbose, say),
    onError: (error, side) => say(errorLine(error, side, tokens[side] !== undefined)),
    onStderr: (text) => void process.stderr.write(text),
    onListening: (side, address) => say(`the ${side} connects to ${address}`),
  });
  await Promise.race([opened.gone, ended()]);
  setTimeout(() => process.exit(), patience.closeMs).unref();
  await opened.close();
}

/** Resolves at the first SIGINT, SIGTERM or SIGHUP. A second one ends the process at once. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
