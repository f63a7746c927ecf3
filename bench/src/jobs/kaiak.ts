import { charsOf, type KaiakErrand } from "../contenders/kaiak-errand.js";
import type { Figures, JobOf } from "./job.js";
import { openLink } from "./open.js";

/** Times one run, which streams texts and asks questions meanwhile. `cpu` is the time of this side, in µs a text. */
export async function kaiak({ contender, texts, questions }: JobOf<"kaiak">): Promise<Figures> {
  const link = await openLink({ contender }, { role: "calls", call: () => {}, update: () => {} });
  const run = async (errand: KaiakErrand): Promise<number> => {
    const start = performance.now();
    const got = (await link.call("_bench/run", errand)) as { readonly chars: number; readonly questions: number };
    if (got.chars !== charsOf(errand) || got.questions !== errand.questions)
      throw new Error(`${contender} received ${JSON.stringify(got)}, expected ${JSON.stringify(errand)}`);
    return performance.now() - start;
  };
  // The first run loads modules and warms up, so it is not measured.
  await run({ texts: Math.max(questions, Math.ceil(texts / 10)), questions });
  const spent = process.cpuUsage();
  const ms = await run({ texts, questions });
  const { user, system } = process.cpuUsage(spent);
  await link.close();
  return { rate: texts / ms, cpu: (user + system) / texts };
}
