// Writes the mapping table into the README: node scripts/run.mjs packages/agent/scripts/mapping-table.ts
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { mapping } from "../src/index.js";
import { type Saying, facts, type Fact } from "../src/mapping/facts.js";

const readme = new URL("../README.md", import.meta.url);
const marks = ["<!-- mapping -->", "<!-- /mapping -->"] as const;

/** The mapping as a table in Markdown. */
function mappingTable(): string {
  const protocols = Object.entries(mapping);
  const rows = Object.entries(facts).map(([fact, meaning]) => [
    `\`${fact}\`: ${meaning}`,
    ...protocols.map(([, column]) => cell(column[fact as Fact])),
  ]);
  const head = ["what the agent says", ...protocols.map(([name]) => `\`${name}\``)];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function cell({ how, as, otherwise }: Saying): string {
  const words = { said: "", approximated: "≈ ", not_said: "✗ " };
  const first = `${words[how]}${as}`;
  return otherwise === undefined ? first : `${first}; otherwise ${cell(otherwise)}`;
}

/** The README with the table of now. */
export function withTable(text: string): string {
  const [before = "", rest = ""] = text.split(marks[0]);
  const [, after = ""] = rest.split(marks[1]);
  return `${before}${marks[0]}\n${mappingTable()}\n${marks[1]}${after}`;
}

if (argv[1] === fileURLToPath(import.meta.url)) writeFileSync(readme, withTable(readFileSync(readme, "utf8")));
