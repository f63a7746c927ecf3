import type * as Prettier from "prettier";

/** A text, the part of it that has changed, and how it is formatted. */
export interface PrettierRequest {
  readonly text: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly options: Prettier.Options;
}

/** No literal, because a bundler would make the optional package a part of each worker. */
const packageName: string = "prettier";

/** Formats a part of a text with Prettier; `undefined` for a file whose language it does not know. */
export async function prettierJob(request: PrettierRequest): Promise<string | undefined> {
  const { text, path, start, end, options } = request;
  const { format, getFileInfo }: typeof Prettier = await import(packageName);
  const { inferredParser } = await getFileInfo(path, { resolveConfig: false });
  if (inferredParser === null) return undefined;
  const endOfLine = text.includes("\r\n") ? "crlf" : "lf";
  return format(text, { endOfLine, ...options, parser: inferredParser, rangeStart: start, rangeEnd: end });
}
