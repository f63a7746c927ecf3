import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { ToolError } from "../errors.js";
import { decodeText } from "../text/encoding.js";
import { readBytesSync } from "../workspace/files.js";
import { walk } from "../workspace/walk.js";
import type { Hit, SearchRequest } from "./engine.js";
import { type Matcher, matcherOf } from "./matcher.js";
import type { ScanMessage } from "./scan.js";

const request: SearchRequest = workerData;
const post = (message: ScanMessage): void => parentPort?.postMessage(message);

void run();

async function run(): Promise<void> {
  try {
    const matches = matcherOf(request);
    if (request.text === undefined) await searchFiles(matches);
    else searchText("", request.text, matches);
    post({ isDone: true });
  } catch (error) {
    if (!(error instanceof ToolError && error.cause instanceof Error)) throw error;
    post({ refused: error.cause.message });
  }
}

async function searchFiles(matches: Matcher): Promise<void> {
  for await (const path of walk(request.root, request.folder)) {
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
  const hits: Hit[] = lines.flatMap((line, index) => (matches(line) ? [{ path, line: index + 1, text: line }] : []));
  if (hits.length > 0) post({ hits });
}
