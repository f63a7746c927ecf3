import { samplesOf } from "../../generate/table-samples.js";
import { table } from "./table.js";

/** The project of the suite, as the query of a connection and the params of calls name it. */
export const projectKey = "conformance";

/** The path and the query under which plugins dial a backend. */
export const chatPath = "/ws/agent/chat";

/** The tools with the params that each needs beside those of its connection, and valid values for all of its params. */
export const tools = {
  grep_file: {
    required: ["pattern"],
    params: {
      pattern: "TODO",
      relativePath: "src/Main.java",
      regex: true,
      case_sensitive: true,
      context_lines: 2,
      limit: 5,
      file_type: "java",
    },
  },
  read_file: {
    required: ["relativePath"],
    params: { relativePath: "src/Main.java", start_line: 2, end_line: 9, line: 4, context_lines: 3 },
  },
  call_chain: {
    required: ["method"],
    params: { method: "Main.run", direction: "callers", depth: 2, includeSource: true },
  },
  apply_change: {
    required: ["relativePath", "replaceContent"],
    params: {
      relativePath: "src/Main.java",
      searchContent: "int a = 1;",
      replaceContent: "int a = 2; // größer 漢",
      description: "a change",
    },
  },
} as const;

/** The name of a tool. */
export type ToolName = keyof typeof tools;

/** The names of the tools. */
export const toolNames = Object.keys(tools) as ToolName[];

/** Example values for the messages of the table. */
export const { takesParams } = samplesOf(table, {
  pattern: "TODO",
  projectKey,
  webSocketSessionId: "ses_sample",
});
