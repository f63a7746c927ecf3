import { figureOf, type Measured, ratios, spreadOf } from "./rounds.js";
import { gatewayPairs } from "./workloads/gateways.js";
import { withoutSchemas, withSchemas } from "./workloads/imports.js";

/** The bound of a figure: absolute, or divided by the same figure of another contender. */
export interface Goal {
  readonly workload: string;
  readonly figure: string;
  readonly contender: string;
  readonly against?: string | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

const flood = (workload: string, contender: string, against: string, atLeast: number): Goal => ({
  workload,
  figure: "rate",
  contender,
  against,
  atLeast,
});

/** The goals, of which none ever fails a run: a timing says as much about the machine as about the code. */
export const goals: readonly Goal[] = [
  flood("flood-200", "editwire", "acp-sdk", 6),
  flood("flood-200", "editwire", "vscode-jsonrpc", 4.5),
  flood("flood-200", "editwire", "json-rpc-2.0", 1.5),
  ...["flood-mixed", "flood-mixed-long", "flood-mixed-awaited"].flatMap((workload) =>
    ["editwire/acp", "editwire/acp-v1"].map((contender) => flood(workload, contender, "acp-sdk", 6)),
  ),
  flood("flood-200-awaited", "editwire", "acp-sdk", 6),
  // No goal against acp-sdk: `floor`, which has no protocol, takes more than half of its time, because most of a call
  // are the system calls and the wake-ups of two processes.
  { workload: "ping", figure: "p50", contender: "editwire", against: "floor", atMost: 1.15 },
  flood("depth-64", "editwire", "acp-sdk", 4),
  flood("decode", "editwire", "floor", 0.9),
  flood("decode", "editwire/content-length", "floor", 0.75),
  { workload: "encode", figure: "ns", contender: "editwire", against: "acp-sdk", atMost: 1 / 5 },
  flood("flood-ws", "editwire", "floor", 2),
  flood("flood-ws-awaited", "editwire", "floor", 2),
  ...["helix-flood", "helix-1", "helix-100", "helix-1000"].map((workload) =>
    flood(workload, "editwire/helix", "floor/helix", 2),
  ),
  { workload: "sman-ping", figure: "p50", contender: "editwire/sman", against: "floor/sman", atMost: 1.3 },
  { workload: "grep", figure: "ms", contender: "editwire/ide-tools", against: "floor/ide-tools", atMost: 1.3 },
  { workload: "grep", figure: "delay", contender: "editwire/ide-tools", atMost: 50 },
  { workload: "grep", figure: "delay", contender: "editwire/ide-tools-scan", atMost: 50 },
  { workload: "call-chain", figure: "first", contender: "editwire/ide-tools", atMost: 5_000 },
  { workload: "call-chain", figure: "next", contender: "editwire/ide-tools", atMost: 50 },
  { workload: "call-chain", figure: "changed", contender: "editwire/ide-tools", atMost: 100 },
  { workload: "call-chain", figure: "delay", contender: "editwire/ide-tools", atMost: 50 },
  flood("kaiak-run", "editwire/kaiak", "vscode-jsonrpc/kaiak", 3),
  // A hop is what the agent takes without the gateway, which may add one and a half. A part of the gateway's memory is
  // what it keeps of a session, 16 Mi characters at most.
  ...gatewayPairs.flatMap((pair): Goal[] => [
    { workload: "gateway-ping", figure: "p50", contender: `editwire/${pair}`, against: `floor/${pair}`, atMost: 2.5 },
    flood("gateway-flood", `editwire/${pair}`, `floor/${pair}`, 0.6),
    { workload: "gateway-slow", figure: "memory", contender: `editwire/${pair}`, atMost: 192 },
  ]),
  { workload: "slow", figure: "consumer", contender: "editwire", atMost: 64 },
  { workload: "slow", figure: "producer", contender: "editwire", atMost: 64 },
  ...["slow-200", "slow-2k", "slow-16k", "slow-100k", "slow-1m", "slow-2m", "slow-4m"].flatMap((workload) =>
    ["editwire", "editwire/acp-v1"].flatMap((contender): Goal[] => [
      { workload, figure: "consumer", contender, atMost: 64 },
      { workload, figure: "producer", contender, atMost: 64 },
    ]),
  ),
  // A reader that holds one message of 8 MB at a time grows by more than 64 MB, so this one is measured against it.
  { workload: "slow-8m", figure: "consumer", contender: "editwire/acp-v1", against: "control", atMost: 1.25 },
  { workload: "unix-1000", figure: "server heap", contender: "editwire", atMost: 5 },
  { workload: "ws-1000", figure: "server heap", contender: "editwire", atMost: 5 },
  ...withoutSchemas.map((contender): Goal => ({ workload: "import", figure: "ms", contender, atMost: 10 })),
  ...withSchemas.map(
    (contender): Goal => ({ workload: "import", figure: "ms", contender, against: "zod", atMost: 1.4 }),
  ),
  { workload: "bundle", figure: "size", contender: "editwire/acp", atMost: 40 },
];

/** How far a goal was reached; undefined where it was not measured. */
export interface Outcome {
  readonly goal: Goal;
  readonly value: number;
  readonly reached: boolean;
}

/** Holds the medians of one workload against its goals. */
export function outcomesOf(workload: string, measured: Measured): Outcome[] {
  return goals
    .filter((goal) => goal.workload === workload)
    .flatMap((goal) => {
      const { contender, against, figure, atLeast = -Infinity, atMost = Infinity } = goal;
      const values =
        against === undefined ? figureOf(measured, contender, figure) : ratios(measured, contender, against, figure);
      const { median: value } = spreadOf(values);
      return Number.isNaN(value) ? [] : [{ goal, value, reached: value >= atLeast && value <= atMost }];
    });
}
