import type { Options } from "prettier";
import type { Formatter } from "./apply-change/formatter.js";
import { runJob } from "./jobs/run-job.js";

/**
 * A formatter that calls Prettier on the changed part of a file, in a worker. The options are the caller's own:
 * configuration files of the project are not read, because they may be programs.
 *
 * @param options - Prettier's options, such as `tabWidth`. They are plain data: plugins are given by their names.
 */
export function prettierFormatter(options: Options = {}): Formatter {
  return (text, { path, start, end, signal = new AbortController().signal }) =>
    runJob("prettier", { text, path, start, end, options }, { signal });
}
