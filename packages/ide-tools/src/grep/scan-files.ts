import { join } from "node:path";
import { ToolError } from "../errors.js";
import { decodeText } from "../text/encoding.js";
import { readBytesSync } from "../workspace/read.js";
import { walk } from "../workspace/walk.js";
import type { Hit, SearchRequest } from "./engine.js";
import { matcherOf } from "./matcher.js";

/** Searches for lines, and posts them file by file. It reads in blocking calls, for workers. */
export function scan(request: SearchRequest, post: (hits: readonly Hit[]) => void): void {
  const matches = matcherOf(request);
  for (const { path, text } of request.text === undefined ? filesOf(request) : [{ path: "", text: request.text }]) {
    const hits: Hit[] = [];
    let line = 0;
    for (const row of text.split(/\r?\n/)) {
      line++;
      if (hits.length < request.maxHits && matches(row)) hits.push({ path, line });
    }
    if (text.endsWith("\n") && hits.at(-1)?.line === line) hits.pop(); // there is no line after the last line end
    if (hits.length > 0) post(hits);
  }
}

/** Reads the files to search in. Files that are not text are skipped. */
function* filesOf(request: SearchRequest): Generator<{ path: string; text: string }> {
  const { root, folder, extensions, maxFileBytes: maxBytes, fallbackEncoding } = request;
  for (const path of walk(root, folder)) {
    if (extensions?.some((extension) => path.endsWith(`.${extension}`)) === false) continue;
    try {
      const bytes = readBytesSync({ real: join(root, path), path, maxBytes });
      if (bytes !== undefined) yield { path, text: decodeText(path, bytes, fallbackEncoding).text };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
    }
  }
}
