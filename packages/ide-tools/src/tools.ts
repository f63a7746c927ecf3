import type { SmanToolInputs, SmanToolName } from "@editwire/sman-schema";
import iconv from "iconv-lite";
import { applyChange, changeTarget } from "./apply-change/apply-change.js";
import type { Formatter } from "./apply-change/formatter.js";
import { checkArguments, type ToolArguments } from "./arguments.js";
import type { Call } from "./call.js";
import { openCallChains } from "./call-chain/call-chain.js";
import { withDeadline } from "./deadline.js";
import { ToolError } from "./errors.js";
import { grepFile } from "./grep/grep-file.js";
import { openFinder } from "./grep/search.js";
import { openLanes } from "./lanes.js";
import { readFile } from "./read-file.js";
import { inLanguage, type Language } from "./wording/wording.js";
import { openWorkspace } from "./workspace/workspace.js";

/** Options of one call of a tool. */
export interface CallOptions {
  /** Ends the call; its promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The language of the report, and of the error. Default `en`. */
  readonly language?: Language | undefined;
}

/**
 * The tools of a folder, by their names in the sman protocol. Each resolves to a report in Markdown. It rejects with a
 * `ToolError` for what it cannot do, whose code is `argument` for params that are malformed or out of bounds, and
 * `timeout` when its time is over. The report and the error name files by their path in the folder.
 */
export interface IdeTools {
  /** The folder's real path. */
  readonly root: string;
  /**
   * Searches one file or all files, line by line, for a text or a regular expression. `limit` is at most 1,000, and
   * `context_lines`, too; a pattern has up to 10,000 characters.
   */
  grep_file(params: SmanToolInputs["grep_file"], options?: CallOptions): Promise<string>;
  /** Reads a text file or some of its lines. `context_lines` is at most 1,000. */
  read_file(params: SmanToolInputs["read_file"], options?: CallOptions): Promise<string>;
  /**
   * Lists the methods that call a method, and those that it calls, in Java, Kotlin, TypeScript, JavaScript and Python.
   * The first call reads the project in a worker. `depth` is at most 10.
   */
  call_chain(params: SmanToolInputs["call_chain"], options?: CallOptions): Promise<string>;
  /**
   * Replaces a passage of a file, or creates a file. Calls for one file run one after the other. A file that somebody
   * else changes meanwhile is not written: the error's code is `changed`. The passages have up to 10 Mi characters.
   */
  apply_change(params: SmanToolInputs["apply_change"], options?: CallOptions): Promise<string>;
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
   * The search engine: `ripgrep`, of the optional dependency `@vscode/ripgrep`, or `scan`, a worker. Default: ripgrep
   * where it is installed.
   */
  readonly searchEngine?: "ripgrep" | "scan" | undefined;
  /**
   * Milliseconds after which a call ends with a `ToolError`, unless it is just writing a file. Default 25,000.
   */
  readonly timeoutMs?: number | undefined;
  /** Bytes of the largest file that is read or written. Default 10 MiB. */
  readonly maxFileBytes?: number | undefined;
  /**
   * The maximal length of a report in characters. Default 1,000,000. A longer report ends with a note that it was cut.
   */
  readonly maxResultChars?: number | undefined;
}

/** Opens the tools on a folder. Throws a `ToolError` for a folder that does not exist and for an unknown encoding. */
export async function openIdeTools(folder: string, options: IdeToolsOptions = {}): Promise<IdeTools> {
  const {
    fallbackEncoding,
    formatter,
    timeoutMs = 25_000,
    maxFileBytes = 10 * 1024 * 1024,
    maxResultChars: maxChars = 1_000_000,
  } = options;
  if (fallbackEncoding !== undefined && !iconv.encodingExists(fallbackEncoding))
    throw new ToolError(`fallbackEncoding: expected the name of an encoding, received ${fallbackEncoding}`, {
      code: "encoding",
    });
  const workspace = await openWorkspace(folder, { maxFileBytes });
  const project = { workspace, fallbackEncoding };
  const find = openFinder(project, options.searchEngine);
  const chains = openCallChains({ root: workspace.root, fallbackEncoding });
  const lanes = openLanes();

  const tool =
    <Name extends SmanToolName, Params>(name: Name, run: (args: ToolArguments<Name>, call: Call) => Promise<string>) =>
    (params: Params, { signal, language = "en" }: CallOptions = {}): Promise<string> =>
      inLanguage(language, async () => {
        const args = checkArguments(name, params);
        return withDeadline({ timeoutMs, signal }, (deadline) => run(args, { ...deadline, language, maxChars }));
      });

  return {
    root: workspace.root,
    grep_file: tool("grep_file", (args, call) => grepFile(project, find, args, call)),
    read_file: tool("read_file", (args, call) => readFile(project, args, call)),
    call_chain: tool("call_chain", (args, call) => chains.call(args, call)),
    close: () => chains.close(),
    apply_change: tool("apply_change", async (args, call) =>
      lanes(await changeTarget(project, args.relativePath), async () => {
        call.signal.throwIfAborted();
        return applyChange(project, args, { ...call, formatter });
      }),
    ),
  };
}
