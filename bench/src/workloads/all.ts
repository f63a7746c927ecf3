import { depths, ping, pingSse } from "./calls.js";
import { decoding, encoding } from "./codecs.js";
import { connections } from "./connections.js";
import { floods, large, slow, slowSizes } from "./floods.js";
import { gateways } from "./gateways.js";
import { helix } from "./helix.js";
import { ideTools } from "./ide-tools.js";
import { bundles, imports } from "./imports.js";
import { sman } from "./sman.js";
import { kaiak } from "./kaiak.js";
import type { Workload } from "./workload.js";

/** Every workload, in the order of the table. */
export const workloads: readonly Workload[] = [
  ping,
  ...depths,
  ...floods,
  large,
  ...decoding,
  ...encoding,
  ...connections,
  ...helix,
  ...sman,
  ...gateways,
  ...ideTools,
  kaiak,
  pingSse,
  imports,
  bundles,
  slow,
  ...slowSizes,
];

/** The workloads with these names, or whose names begin so; all for none. Throws for a word that fits nothing. */
export function selectWorkloads(words: readonly string[]): readonly Workload[] {
  const chosen = words.map((word) => {
    const exact = workloads.filter(({ name }) => name === word);
    const fitting = exact.length > 0 ? exact : workloads.filter(({ name }) => name.startsWith(word));
    if (fitting.length === 0)
      throw new Error(`there is no workload ${word}; there are ${workloads.map(({ name }) => name).join(", ")}`);
    return fitting;
  });
  return words.length === 0
    ? workloads
    : workloads.filter((workload) => chosen.some((fitting) => fitting.includes(workload)));
}
