import { join } from "node:path";
import type { ChatContext, EcaParams, EcaServer } from "@editwire/eca";
import { openWorkspace, ToolError } from "@editwire/ide-tools";
import { pathOfUri } from "../uri.js";

/**
 * A server that also finds the files that a user can add to a prompt: those in whose path each word of a query occurs.
 * Only ECA has such queries, so they are added to what `toEca` gives.
 */
export function withFileContexts(server: EcaServer): EcaServer {
  let folders: EcaParams<"initialize">["workspaceFolders"];
  return {
    ...server,
    initialize(params) {
      folders = params.workspaceFolders;
      return server.initialize?.(params);
    },
    queryContext: ({ query }) => filesOf(folders ?? [], query),
    methods: {
      ...server.methods,
      "chat/queryFiles": async ({ chatId, query }) => ({
        ...(chatId === undefined ? {} : { chatId }),
        files: await filesOf(folders ?? [], query),
      }),
    },
  };
}

async function filesOf(folders: readonly { readonly uri: string }[], query: string): Promise<FileContext[]> {
  const words = query.toLowerCase().split(/\s+/);
  const found = await Promise.all(folders.map(({ uri }) => filesBelow(pathOfUri(uri))));
  const fitting = found.flat().filter((path) => words.every((word) => path.toLowerCase().includes(word)));
  return fitting.map((path) => ({ type: "file", path }));
}

type FileContext = Extract<ChatContext, { type: "file" }>;

async function filesBelow(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  try {
    const { list } = await openWorkspace(folder);
    return (await list(".", AbortSignal.timeout(10_000))).map((path) => join(folder, path));
  } catch (error) {
    if (error instanceof ToolError) return []; // a folder that is not there has no files
    throw error;
  }
}
