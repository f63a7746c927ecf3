import type { Case } from "./case.js";

/** The cases that are repeated with faults: none, the smoke cases, or all. */
export type FaultAxis = "none" | "smoke" | "all";

/** Every value of the axis. */
export const faultAxes: readonly FaultAxis[] = ["none", "smoke", "all"];

/** Faults that do not affect a correct target, so that every case must have the same result as without them. */
const onStreams = { few: ["split:1", "coalesce"], many: ["split:1", "coalesce", "split:seeded", "slow:1", "crlf"] };
/** Message-based transports have neither lines nor chunks that could be joined. */
const onMessages = { few: ["split:1"], many: ["split:1", "split:seeded", "slow:1"] };

/**
 * The cases, followed by a copy of each case for each fault, as `<id>@<fault>`. A case that declares faults itself is
 * not copied.
 */
export function overFaults(cases: readonly Case[], axis: FaultAxis, transport?: string): Case[] {
  if (axis === "none") return [...cases];
  const { few, many } = transport === "http" || transport === "ws" ? onMessages : onStreams;
  const chosen = cases.filter(({ faults, smoke }) => faults === undefined && (axis === "all" || smoke === true));
  const again = (axis === "all" ? many : few).flatMap((fault) => chosen.map((one) => variant(one, fault)));
  return [...cases, ...again];
}

function variant(one: Case, fault: string): Case {
  return {
    ...one,
    id: `${one.id}@${fault}`,
    title: `${one.title} (over ${fault})`,
    faults: [fault],
    shares: true,
    smoke: false,
  };
}
