import { join } from "node:path";
import { dirname as posixDirname } from "node:path/posix";
import type { ChatContext } from "@editwire/eca-schema";
import type { Workspace } from "@editwire/example-coding-agent";
import type { ContextSources } from "./read.js";

interface Candidate {
  readonly context: ChatContext;
  /** What a query is looked for in, in small letters. */
  readonly text: string;
}

/** Milliseconds that a listing is used again: editors ask with every key that the user types. */
const listingMs = 2_000;
const listings = new WeakMap<Workspace, { readonly files: Promise<string[]>; readonly until: number }>();

/**
 * The contexts that fit a query: every word of it is somewhere in the path or the name. What has it in its last part
 * comes first. An empty query fits all; a URL is offered as a page.
 */
export async function queryContexts(
  query: string,
  sources: ContextSources,
  signal: AbortSignal,
): Promise<ChatContext[]> {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const page: ChatContext[] = /^https?:\/\/\S+$/.test(query.trim()) ? [{ type: "web", url: query.trim() }] : [];
  const fitting = (await candidates(sources, signal)).filter(({ text }) => words.every((word) => text.includes(word)));
  const rank = ({ text }: Candidate): number =>
    words.every((word) => text.slice(text.lastIndexOf("/") + 1).includes(word)) ? 0 : 1;
  return [...page, ...fitting.sort((a, b) => rank(a) - rank(b)).map(({ context }) => context)];
}

async function candidates({ folders, mcp }: ContextSources, signal: AbortSignal): Promise<Candidate[]> {
  const all: Candidate[] = [{ context: { type: "repoMap" }, text: "repomap" }];
  for (const folder of folders.all) {
    const files = await listOf(folder, signal);
    for (const path of foldersOf(files))
      all.push({ context: { type: "directory", path: join(folder.cwd, path) }, text: path.toLowerCase() });
    for (const path of files)
      all.push({ context: { type: "file", path: join(folder.cwd, path) }, text: path.toLowerCase() });
  }
  for (const { config, offer } of mcp.running) {
    for (const { uri, name, description = "", mimeType = "" } of offer.resources) {
      all.push({
        context: { type: "mcpResource", uri, name, description, mimeType, server: config.name },
        text: `${uri}/${name}`.toLowerCase(),
      });
    }
  }
  return all;
}

function listOf(folder: Workspace, signal: AbortSignal): Promise<string[]> {
  const known = listings.get(folder);
  if (known !== undefined && Date.now() < known.until) return known.files;
  const files = folder.list(".", signal);
  files.catch(() => listings.delete(folder));
  listings.set(folder, { files, until: Date.now() + listingMs });
  return files;
}

/** The folders that files lie in, each after those above it. */
function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = posixDirname(file); folder !== "." && !folders.has(folder); folder = posixDirname(folder))
      folders.add(folder);
  }
  return [...folders].sort();
}
