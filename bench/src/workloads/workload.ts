import type { Figures, Job, ToolsJob } from "../jobs/job.js";

/** How to read one number of a workload. */
export interface Figure {
  readonly unit: string;
  readonly better: "more" | "less";
}

/** The resources that a workload may use. */
export interface Bench {
  /** Measures in a process of its own. */
  run(job: Job): Promise<Figures>;
  /** Measures the tools of an IDE in a process of its own, which finds ripgrep and the grammars. */
  runTools(job: ToolsJob): Promise<Figures>;
  /** Imports one module, given by its URL, in a process of its own. */
  runImport(url: string): Promise<Figures>;
  /** A temporary folder, for what is built once. */
  readonly folder: string;
}

/** One thing to measure, for several contenders. */
export interface Workload {
  readonly name: string;
  /** A description of the workload, with the size at scale 1. */
  readonly title: string;
  /** The first one stands for the workload where there is room for one. */
  readonly figures: Readonly<Record<string, Figure>>;
  readonly contenders: readonly string[];
  /** How much work there is at scale 1; absent where that cannot be varied. */
  readonly size?: number | undefined;
  /** Rounds at most, where one takes long. */
  readonly maxRounds?: number | undefined;
  /**
   * Whether `--growth` measures it too; then the first figure is a cost per unit of work, or a rate. Default true with
   * a size.
   */
  readonly grows?: boolean | undefined;
  measure(contender: string, size: number, bench: Bench): Promise<Figures>;
}

/** The contenders that speak JSON-RPC over a pipe. */
export const overPipes = ["editwire", "floor", "acp-sdk", "vscode-jsonrpc", "mcp-sdk", "json-rpc-2.0"] as const;

/** Messages, or calls, of a rate per millisecond. */
export const thousandsPerSecond: Figure = { unit: "k/s", better: "more" };
