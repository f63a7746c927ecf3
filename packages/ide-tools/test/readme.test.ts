import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { tempFolder } from "./support/temp-folder.js";

const { tools } = await bundle(import.meta.url, { tools: "readme/tools.ts" });
const project = fileURLToPath(new URL("readme/project", import.meta.url));

it("the README's program prints what the README says", async () => {
  const folder = await tempFolder();
  await cp(project, folder, { recursive: true });
  const { stdout } = await promisify(execFile)(process.execPath, [tools, folder]);
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`\`console\n${stdout}\`\`\`\``);
});
