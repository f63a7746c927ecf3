import { thousandsPerSecond, type Workload } from "./workload.js";

/** An ACP editor with an ECA server, an ECA editor with an ACP agent, and ACP on both sides. */
export const gatewayPairs = ["acp-eca", "eca-acp", "acp-acp"] as const;

/** A gateway between two processes; in the agent's own protocol, one that copies bytes, and the agent without it. */
const contenders = gatewayPairs.flatMap((pair) => [`editwire/${pair}`, `copy/${pair}`, `floor/${pair}`]);

/** A gateway, whose agent and editor are processes of their own. */
export const gateways: readonly Workload[] = [
  {
    name: "gateway-ping",
    title: "turns with one short text, one after the other, through a gateway and without it",
    size: 2_000,
    contenders,
    figures: { p50: { unit: "µs", better: "less" }, p99: { unit: "µs", better: "less" } },
    measure: (contender, count, bench) => bench.run({ kind: "gateway", what: "ping", contender, count }),
  },
  {
    name: "gateway-flood",
    title: "a turn that streams texts of 60 characters, through a gateway and without it",
    size: 100_000,
    contenders,
    figures: { rate: thousandsPerSecond },
    measure: (contender, count, bench) => bench.run({ kind: "gateway", what: "flood", contender, count }),
  },
  {
    name: "gateway-slow",
    title: "texts of 16 KB for an editor that takes a millisecond each: the gateway's memory above idle",
    size: 10_000,
    maxRounds: 1,
    grows: false,
    contenders: gatewayPairs.map((pair) => `editwire/${pair}`),
    figures: { memory: { unit: "MB", better: "less" } },
    measure: (contender, count, bench) => bench.run({ kind: "gateway", what: "slow", contender, count }),
  },
];
