import type { AcpTerminals } from "@editwire/acp";
import { nodeTerminals } from "@editwire/acp/node";
import type { OutputOf } from "./command-output.js";

const keptChars = 8_000;
const keptTerminals = 100;

/** The terminals that the agent may use, and what was written to them. */
export interface LentTerminals {
  readonly terminals: AcpTerminals;
  /** Returns the end of it. */
  readonly outputOf: OutputOf;
}

/** Lends terminals of this machine, with a shell for whole lines, and keeps the end of the last outputs. */
export function lendTerminals(): LentTerminals {
  const outputs = new Map<string, string>();
  const onOutput = ({ terminalId, text }: { terminalId: string; text: string }): void => {
    const output = ((outputs.get(terminalId) ?? "") + text).slice(-keptChars);
    outputs.delete(terminalId);
    outputs.set(terminalId, output);
    for (const oldest of outputs.keys()) if (outputs.size > keptTerminals) outputs.delete(oldest);
  };
  return {
    terminals: nodeTerminals({ shell: "lines", onOutput }),
    outputOf: (terminalId) => outputs.get(terminalId),
  };
}
