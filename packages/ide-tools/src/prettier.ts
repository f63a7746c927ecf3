import { format, getFileInfo, type Options } from "prettier";
import type { Formatter } from "./apply-change/formatter.js";

/**
 * A formatter that calls Prettier on the changed part of a file. The options are the caller's own: configuration files
 * of the project are not read, because they may be programs.
 *
 * @param options - Prettier's options, such as `tabWidth`.
 */
export function prettierFormatter(options: Options = {}): Formatter {
  return async (text, { path, start, end }) => {
    const { inferredParser } = await getFileInfo(path, { resolveConfig: false });
    if (inferredParser === null) return undefined;
    const lineEnd = text.includes("\r\n") ? "crlf" : "lf";
    return format(text, {
      endOfLine: lineEnd,
      ...options,
      parser: inferredParser,
      rangeStart: start,
      rangeEnd: end,
    });
  };
}
