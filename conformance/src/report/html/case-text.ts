import { levelText } from "../../core/registry/requirement.js";
import { repeatOf } from "../repeat.js";
import { valueText } from "../value-text.js";
import { visible, visibleLine } from "../visible.js";
import { duration } from "./format.js";
import type { CaseItem } from "./model.js";
import { summaryOf, timelineOf, titleOf } from "./timeline.js";

const LAST = 12;

/** A case as plain text, for an issue or a mail: what is wrong, the last messages, how to repeat it. */
export function caseAsText({ report, result }: CaseItem): string {
  const { run, target, requirements, command } = report;
  const texts = new Map(requirements.map((row) => [row.id, row.text]));
  const lines = [
    `${result.verdict}: ${result.id} (${result.title})`,
    `${run.protocol} ${run.role}, ${run.profile}, ${[target.name, target.version].filter(Boolean).join(" ")}`,
  ];
  if (result.reason !== undefined) lines.push(visible(result.reason));
  for (const { req, level, basis, verdict, message, expected, actual } of result.checks) {
    if (["pass", "info", "not-applicable"].includes(verdict)) continue;
    lines.push("", `${verdict} ${req} (${levelText({ level, basis })}): ${texts.get(req) ?? ""}`);
    if (message !== undefined) lines.push(`  ${visible(message)}`);
    if (expected !== undefined) lines.push(`  expected: ${visible(expected)}`);
    if (actual !== undefined)
      lines.push(`    actual: ${visible(typeof actual === "string" ? actual : valueText(actual))}`);
  }
  const at = result.checks.find(({ verdict, at: decided }) => verdict !== "pass" && decided !== undefined)?.at;
  const rows = timelineOf(result).filter(
    ({ entry }) => entry.kind !== "bytes" && (at === undefined || entry.seq <= at + 2),
  );
  if (rows.length > 0) lines.push("");
  for (const { entry, at: time } of rows.slice(-LAST)) {
    const arrow = entry.from === "suite" ? "suite  ->" : entry.from === "target" ? "target <-" : "model  --";
    lines.push(
      visibleLine(`${duration(time).padStart(9)} ${arrow} ${titleOf(entry)} ${summaryOf(entry)}`) +
        (entry.seq === at ? "   <- here" : ""),
    );
  }
  if (command !== undefined) lines.push("", repeatOf(command, result.id));
  return `${lines.join("\n")}\n`;
}
