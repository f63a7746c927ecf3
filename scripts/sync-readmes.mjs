// Copies the files that READMEs and guides show (```ts file=PATH) into them.
// With --check, fails if a README differs from its file.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";

const root = fileURLToPath(new URL("..", import.meta.url));
const check = process.argv.includes("--check");
const readmes = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "README.md", "**/README.md", "**/CONTRIBUTING-*.md"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .trim()
  .split("\n");
let stale = 0;

for (const readme of readmes.map((file) => join(root, file))) {
  const before = readFileSync(readme, "utf8");
  const after = before.replace(/^(```\w+ file=(\S+))\n(?:[^]*?\n)??```$/gm, (_block, fence, file) => {
    const text = readFileSync(join(dirname(readme), file), "utf8").trimEnd();
    return `${fence}\n${text}\n\`\`\``;
  });
  if (after === before) continue;
  if (check)
    console.error(`${relative(root, readme)} shows an older text of its files: run node scripts/sync-readmes.mjs`);
  else writeFileSync(readme, after);
  stale += 1;
}

if (check && stale > 0) process.exit(1);
