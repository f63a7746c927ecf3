import type { ApplyChangeInput, CallChainInput, GrepFileInput, ReadFileInput } from "@editwire/sman-schema";
import iconv from "iconv-lite";
import { applyChange, changeTarget } from "./apply-change/apply-change.js";
import type { Formatter } from "./apply-change/formatter.js";
import { openCallChains } from "./call-chain/call-chain.js";
import { ToolError } from "./errors.js";
import { grepFile } from "./grep/grep-file.js";
import { openSearch } from "./grep/search.js";
import { openLanes } from "./lanes.js";
import { cut } from "./markdown.js";
import { readFile } from "./read-file.js";
import { openWorkspace } from "./workspace/workspace.js";

/** What a call of a tool may carry besides its params. */
export interface CallOptions {
  /** Ends the call; its promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The tools of a folder, by their names in the protocol. Each resolves to a report in Markdown and rejects with a
 * `ToolError` for what it cannot do; the report and the error name files by their path in the folder.
 */
export interface IdeTools {
  /** The folder's real path. */
  readonly root: string;
  /** Searches one file or all files, line by line, for a text or a regular expression. */
  grep_file(params: GrepFileInput, options?: CallOptions): Promise<string>;
  /** Reads a text file or some of its lines. */
  read_file(params: ReadFileInput, options?: CallOptions): Promise<string>;
  /**
   * Lists the methods that call a method, and those that it calls, in Java, Kotlin, TypeScript, JavaScript and Python.
   * The first call reads the project in a worker.
   */
  call_chain(params: CallChainInput, options?: CallOptions): Promise<string>;
  /** Replaces a passage of a file, or creates a file. Calls for one file run one after the other. */
  apply_change(params: ApplyChangeInput, options?: CallOptions): Promise<string>;
  /**
   * Ends the worker of `call_chain`; open calls of it reject. Without it, an idle worker does not keep a process alive.
   */
  close(): Promise<void>;
}

/** Settings of the tools. */
export interface IdeToolsOptions {
  /**
   * Encoding of files that have no byte order mark and are not UTF-8, such as `gb18030`. Default: they are refused.
   */
  readonly fallbackEncoding?: string | undefined;
  /** Formats what `apply_change` writes. Default: nothing is formatted. */
  readonly formatter?: Formatter | undefined;
  /**
   * What searches: `ripgrep`, of the optional dependency `@vscode/ripgrep`, or `scan`, a worker. Default: ripgrep where
   * it is installed.
   */
  readonly searchEngine?: "ripgrep" | "scan" | undefined;
  /** Milliseconds after which a search or an analysis ends with a `ToolError`. Default 25,000. */
  readonly timeoutMs?: number | undefined;
  /** Bytes of the largest file that is read or written. Default 10 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** Characters of the longest report. Default 1,000,000. What is cut off is noted in the report. */
  readonly maxResultChars?: number | undefined;
}

/** Opens the tools on a folder. Throws a `ToolError` for a folder that does not exist and for an unknown encoding. */
export async function openIdeTools(folder: string, options: IdeToolsOptions = {}): Promise<IdeTools> {
  const {
    fallbackEncoding,
    formatter,
    timeoutMs = 25_000,
    maxFileBytes = 10 * 1024 * 1024,
    maxResultChars = 1_000_000,
  } = options;
  if (fallbackEncoding !== undefined && !iconv.encodingExists(fallbackEncoding))
    throw new ToolError(`fallbackEncoding: expected the name of an encoding, received ${fallbackEncoding}`, {
      code: "encoding",
    });
  const workspace = await openWorkspace(folder, { maxFileBytes });
  const project = { workspace, fallbackEncoding };
  const search = openSearch(project, { engine: options.searchEngine, timeoutMs });
  const chains = openCallChains({ root: workspace.root, fallbackEncoding, timeoutMs });
  const lanes = openLanes();

  return {
    root: workspace.root,
    async grep_file(params, { signal } = {}) {
      return cut(await grepFile(project, search, params, signal), maxResultChars);
    },
    async read_file(params, { signal } = {}) {
      signal?.throwIfAborted();
      return readFile(project, params, maxResultChars);
    },
    async call_chain(params, { signal } = {}) {
      return cut(await chains.call(params, signal), maxResultChars);
    },
    close: () => chains.close(),
    async apply_change(params, { signal } = {}) {
      return lanes(await changeTarget(project, params.relativePath), async () => {
        signal?.throwIfAborted();
        return applyChange(project, params, { formatter, signal });
      });
    },
  };
}
