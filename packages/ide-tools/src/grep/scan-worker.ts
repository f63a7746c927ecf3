import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { ToolError } from "../errors.js";
import { decodeText } from "../text/encoding.js";
import { readBytesSync } from "../workspace/files.js";
import { walk } from "../workspace/walk.js";
import type { Hit, SearchRequest } from "./engine.js";
import { type Matcher, matcherOf } from "./matcher.js";
import type { ScanResult } from "./scan.js";

const request: SearchRequest = workerData;
const hits: Hit[] = [];
const post = (result: ScanResult): void => parentPort?.postMessage(result);

void run();

async function run(): Promise<void> {
  try {
    const matches = matcherOf(request);
    if (request.text === undefined) await searchFiles(matches);
    else searchText("", request.text, matches);
    post({ hits });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    post({ refused: error.message });
  }
}

async function searchFiles(matches: Matcher): Promise<void> {
  for await (const path of walk(request.root)) {
    if (hits.length >= request.maxHits) return;
    if (!isWanted(path)) continue;
    const text = textOf(path);
    if (text !== undefined) searchText(path, text, matches);
  }
}

function isWanted(path: string): boolean {
  return request.extensions?.some((extension) => path.endsWith(`.${extension}`)) ?? true;
}

/** What cannot be read as text is passed over. */
function textOf(path: string): string | undefined {
  const { root, maxFileBytes: maxBytes, fallbackEncoding } = request;
  try {
    const bytes = readBytesSync({ real: join(root, path), path, maxBytes });
    return bytes === undefined ? undefined : decodeText(path, bytes, fallbackEncoding).text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function searchText(path: string, text: string, matches: Matcher): void {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) {
    if (matches(line) && hits.push({ path, line: index + 1, text: line }) >= request.maxHits) return;
  }
}
