// The other end of what is measured: the child process that answers calls and sends updates.
import { loadContender } from "../contenders/load.js";
import type { FarEnd } from "../jobs/job.js";
import { settledMemory, watchPeaks } from "../jobs/memory.js";
import { servingHandlers } from "../messages.js";

const { contender: name, listen } = JSON.parse(process.argv[2] ?? "") as FarEnd;
const contender = await loadContender(name);

let peak: ReturnType<typeof watchPeaks> | undefined;
/** The first time it is asked it begins to watch. */
const handlers = servingHandlers(() => (peak ??= watchPeaks())());

if (listen === undefined) contender.stdio?.(handlers);
else {
  process.on("message", () => void settledMemory().then((memory) => process.send?.(memory)));
  process.on("disconnect", () => process.exit());
  process.send?.(await contender.listen?.(listen, handlers));
}
