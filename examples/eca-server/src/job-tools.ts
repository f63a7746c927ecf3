import { ToolError } from "@editwire/example-coding-agent";
import * as z from "zod";
import type { Folders } from "./folders.js";
import type { Jobs } from "./jobs.js";
import { type OwnTool, ownTool } from "./own-tool.js";

/** Characters of a job's output that the model reads at once. */
const maxChars = 20_000;

/** The tools by which the model starts programs that run on, and reads what they write. */
export function jobTools(jobs: Jobs, { main }: Folders): OwnTool[] {
  if (main === undefined) return [];
  return [
    ownTool({
      name: "start_job",
      description:
        "Starts a program that runs on in the background, such as a development server, without a shell. " +
        "The user is asked first.",
      access: "execute",
      input: z.object({ argv: z.array(z.string()).min(1), summary: z.string().optional() }),
      title: ({ argv }) => `Start ${argv.join(" ")} in the background`,
      run: async ({ argv, summary = null }, { session }) =>
        `Started as ${jobs.start(argv, main.root, session, summary)}.`,
    }),
    ownTool({
      name: "read_job",
      description: "Reads what a background job wrote lately, and how it is",
      input: z.object({ id: z.string() }),
      title: ({ id }) => `Read the output of ${id}`,
      async run({ id }) {
        const output = jobs.output(id);
        if (output === undefined) throw new ToolError(`There is no job ${id}`);
        const text = output.lines.map((line) => line.text).join("\n");
        return `${output.status}\n${text.slice(-maxChars)}`;
      },
    }),
  ];
}
