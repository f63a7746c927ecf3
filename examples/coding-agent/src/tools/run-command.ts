import * as z from "zod";
import { runProcess } from "../process.js";
import { defineTool } from "./tool.js";

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 600;

/** Runs a program in the project's folder. */
export const runCommand = defineTool({
  name: "run_command",
  description:
    "Runs a program in the project's folder, without a shell: argv is the program and its arguments, such as " +
    `["node", "--test"]. ` +
    `Its input is empty. It is ended after timeout_seconds (default ${DEFAULT_SECONDS}). The user is asked first.`,
  access: "execute",
  kind: "execute",
  input: z.object({ argv: z.array(z.string()).min(1), timeout_seconds: z.int().min(1).max(MAX_SECONDS).optional() }),
  view: ({ argv }) => ({ title: `Run ${argv.map(quote).join(" ")}` }),
  prepare: ({ argv, timeout_seconds: seconds = DEFAULT_SECONDS }, { workspace, signal }) => ({
    async run() {
      const { exitCode, end, output } = await runProcess(argv, {
        cwd: workspace.root,
        timeoutMs: seconds * 1000,
        signal,
      });
      return { text: `${end}\n${output}`, failed: exitCode !== 0 };
    },
  }),
});

/** Shows an argument as a shell would want it. */
function quote(argument: string): string {
  return /^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
