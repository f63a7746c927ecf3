import type { SmanToolInputs, SmanToolName } from "@editwire/sman";
import type { AgentNewToolCall } from "../api/tool-call-state.js";

type Shown = Pick<AgentNewToolCall, "title" | "kind" | "diff" | "locations">;

/** How each tool's calls are shown. `at` gives the absolute path of a file. */
const shown: {
  readonly [Name in SmanToolName]: (params: SmanToolInputs[Name], at: (path: string) => string) => Shown;
} = {
  grep_file: ({ pattern, relativePath = "" }, at) => ({
    title: `Search for ${JSON.stringify(pattern)}${relativePath === "" ? "" : ` in ${relativePath}`}`,
    kind: "search",
    ...(relativePath === "" ? {} : { locations: [{ path: at(relativePath) }] }),
  }),
  read_file: ({ relativePath, start_line, end_line, line = start_line }, at) => ({
    title: `Read ${relativePath}${rangeOf(line, end_line)}`,
    kind: "read",
    locations: [{ path: at(relativePath), ...(line === undefined ? {} : { line }) }],
  }),
  call_chain: ({ method, direction = "both" }) => ({
    title: `Find ${direction === "both" ? "callers and callees" : direction} of ${method}`,
    kind: "search",
  }),
  apply_change: ({ relativePath, searchContent = "", replaceContent }, at) => {
    const isNew = searchContent === "";
    const path = at(relativePath);
    return {
      title: `${isNew ? "Create" : "Edit"} ${relativePath}`,
      kind: "edit",
      diff: { path, newText: replaceContent, ...(isNew ? {} : { oldText: searchContent }) },
      locations: [{ path }],
    };
  },
};

/** How a call of a tool is shown. `folder` is the project's. */
export function shownAs<Name extends SmanToolName>(folder: string, name: Name, params: SmanToolInputs[Name]): Shown {
  const isWindows = /^[A-Za-z]:|\\/.test(folder);
  const prefix = /[\\/]$/.test(folder) ? folder : `${folder}${isWindows ? "\\" : "/"}`;
  return shown[name](params, (path) => `${prefix}${isWindows ? path.replaceAll("/", "\\") : path}`);
}

function rangeOf(line: number | undefined, end: number | undefined): string {
  if (line === undefined) return end === undefined ? "" : `:1-${end}`;
  return end === undefined ? `:${line}` : `:${line}-${end}`;
}
