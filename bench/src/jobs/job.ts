import type { Corpus } from "../corpus.js";

/** The alternatives, and the server's current choice. */
export type Job =
  | {
      readonly kind: "flood";
      readonly contender: string;
      readonly listen?: string | undefined;
      readonly corpus: Corpus;
      readonly count: number;
      readonly awaited?: boolean | undefined;
      readonly runs?: number | undefined;
    }
  | {
      readonly kind: "calls";
      readonly contender: string;
      readonly listen?: string | undefined;
      readonly depth: number;
      readonly count: number;
    }
  | {
      readonly kind: "slow";
      readonly contender: string;
      readonly bytes: number;
      readonly messageBytes: number;
      /** Milliseconds that the reader takes for each message. */
      readonly delayMs: number;
    }
  | {
      readonly kind: "connections";
      readonly contender: string;
      readonly listen: string;
      readonly connections: number;
      readonly count: number;
    }
  | {
      readonly kind: "helix";
      readonly contender: string;
      readonly agents: number;
      readonly turns: number;
      readonly updates: number;
      readonly apart: boolean;
    }
  | { readonly kind: "kaiak"; readonly contender: string; readonly texts: number; readonly questions: number }
  | {
      readonly kind: "gateway";
      readonly what: "ping" | "flood" | "slow";
      readonly contender: string;
      readonly count: number;
    }
  | {
      readonly kind: "decode";
      readonly contender: string;
      readonly text: "ascii" | "non-ascii";
      readonly chunks: "random" | "bytes";
      readonly bytes: number;
    }
  | { readonly kind: "encode"; readonly contender: string; readonly corpus: Corpus; readonly count: number };

/** A measurement of the tools of an IDE on a generated project. */
export interface ToolsJob {
  readonly kind: "grep" | "chain";
  readonly contender: string;
  /** The project. */
  readonly root: string;
}

/** A job of one kind. */
export type JobOf<Kind extends Job["kind"]> = Extract<Job, { kind: Kind }>;

/** The measured values, by name. */
export type Figures = Record<string, number>;

/** The work of the far end of a connection. */
export interface FarEnd {
  readonly contender: string;
  /** Where to listen; absent: on stdin and stdout. */
  readonly listen?: string | undefined;
}
