// Makes the page of the HTML report, without data: one file with its script, its style and a policy that allows nothing
// else.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { packageRoot } from "../src/core/registry/package-root.js";

const folder = new URL("../src/report/html/", import.meta.url);

/** Builds the page and writes it to `assets/report.html`, in one step for readers that run at the same time. */
export async function writePage(): Promise<void> {
  const file = join(packageRoot(), "assets/report.html");
  const unfinished = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(unfinished, await makePage());
  renameSync(unfinished, file);
}

/** Bundles `src/report/html` and gives the text of `assets/report.html`. */
async function makePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("main.ts", folder)), fileURLToPath(new URL("page.css", folder))],
    bundle: true,
    write: false,
    outdir: "/",
    format: "esm",
    target: ["chrome123", "firefox128", "safari17.5"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });
  const textOf = (extension: string): string => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? "";
  // esbuild names the files that it joined; nobody needs that in the page.
  const script = textOf(".js").replace(/^\/\/ .*\n/gm, "");
  const style = textOf(".css").replace(/^\/\* .* \*\/\n/gm, "");
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return readFileSync(new URL("page.html", folder), "utf8")
    .replace("@@POLICY@@", () => policy)
    .replace("@@STYLE@@", () => style)
    .replace("@@SCRIPT@@", () => script);
}

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
