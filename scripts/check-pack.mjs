// Packs what `npm run build` built, and checks the tarballs: publint, attw, and a project that uses them.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consumerFindings } from "./lib/consumer.mjs";
import { inParallel } from "./lib/run.mjs";
import { packAll, tarballFindings } from "./lib/tarballs.mjs";
import { publicPackages, report } from "./lib/workspace.mjs";

const folder = mkdtempSync(join(tmpdir(), "editwire-pack-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const consumer = join(folder, "consumer");
mkdirSync(consumer);

const packages = await packAll(await publicPackages(), folder);
const findings = [
  ...(await inParallel(packages.map((pkg) => () => tarballFindings(pkg)))),
  ...(await consumerFindings(packages, consumer)),
];
report("pack", findings, `${packages.length} tarballs`);
