// Packs what `npm run build` built, and checks the tarballs: publint, attw, a project that uses them, and the READMEs.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consumerFindings } from "./lib/consumer.mjs";
import { readmeFindings } from "./lib/readmes.mjs";
import { inParallel } from "./lib/run.mjs";
import { packAll, tarballFindings } from "./lib/tarballs.mjs";
import { publicPackages, report } from "./lib/workspace.mjs";

const folder = mkdtempSync(join(tmpdir(), "editwire-pack-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const consumer = join(folder, "consumer");
const readmes = join(folder, "readmes");
for (const project of [consumer, readmes]) mkdirSync(project);

const packages = await packAll(await publicPackages(), folder);
const findings = [
  ...(await inParallel(packages.map((pkg) => () => tarballFindings(pkg)))),
  ...(await consumerFindings(packages, consumer)),
  ...(await readmeFindings(packages, readmes)),
];
report("pack", findings, `${packages.length} tarballs`);
