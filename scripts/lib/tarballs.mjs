// Packs the public packages as they would be published, and checks what is in the tarballs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { findingsOf, run } from "./run.mjs";
import { root } from "./workspace.mjs";

/** Packs with pnpm, which alone rewrites `workspace:` and `catalog:` ranges. Throws when a package cannot be packed. */
export async function packAll(packages, folder) {
  const filters = packages.flatMap(({ path }) => ["--filter", `./${path}`]);
  const { code, output } = await run(
    "npm",
    ["run", "-s", "pnpm", "--", "-r", ...filters, "pack", "--pack-destination", folder],
    { cwd: root },
  );
  if (code !== 0) throw new Error(`pnpm pack: ${output}`);
  return packages.map((pkg) => ({
    ...pkg,
    tarball: join(folder, `${pkg.name.replace("@", "").replace("/", "-")}-${pkg.manifest.version}.tgz`),
  }));
}

/** The findings of publint and attw in one tarball. */
export async function tarballFindings({ name, tarball, manifest }) {
  const profile = manifest.exports["."].require === undefined ? "esm-only" : "node16";
  const attw = ["--profile", profile, "--format", "ascii", "--no-emoji", "--no-color", tarball];
  const [{ messages, pkg }, wrongTypes] = await Promise.all([
    publint({ pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer }, strict: true }),
    findingsOf(`${name}: attw`, join(root, "node_modules/.bin/attw"), attw),
  ]);
  return [
    ...messages.map((message) => `${name}: publint: ${formatMessage(message, pkg, { color: false })}`),
    ...wrongTypes,
  ];
}
