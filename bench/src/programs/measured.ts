// Measures one thing once, in a process of its own: the job comes as an argument, the figures leave over IPC.
import { calls } from "../jobs/calls.js";
import { connections } from "../jobs/connections.js";
import { decode } from "../jobs/decode.js";
import { encode } from "../jobs/encode.js";
import { flood } from "../jobs/flood.js";
import { gateway } from "../jobs/gateway.js";
import { helix } from "../jobs/helix.js";
import type { Figures, Job } from "../jobs/job.js";
import { kaiak } from "../jobs/kaiak.js";
import { slow } from "../jobs/slow.js";

function measure(job: Job): Promise<Figures> {
  switch (job.kind) {
    case "flood":
      return flood(job);
    case "calls":
      return calls(job);
    case "slow":
      return slow(job);
    case "connections":
      return connections(job);
    case "helix":
      return helix(job);
    case "kaiak":
      return kaiak(job);
    case "gateway":
      return gateway(job);
    case "decode":
      return decode(job);
    case "encode":
      return encode(job);
  }
}

const figures = await measure(JSON.parse(process.argv[2] ?? "") as Job);
process.send?.(figures, () => process.exit());
