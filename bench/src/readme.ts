import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { benchFolder } from "./build.js";
import { type Machine, machineLine } from "./machine.js";
import { markdown, type Result, tableOf } from "./table.js";

const markers = /(<!-- bench -->)[\s\S]*?(<!-- \/bench -->)/;

/** Writes the short table into the root README, between its markers. Throws where there are none. */
export async function writeReadme(machine: Machine, results: readonly Result[], rounds: number): Promise<void> {
  const file = join(benchFolder, "../README.md");
  await writeFile(file, withTable(await readFile(file, "utf8"), machine, results, rounds));
}

/** The README's text with the table in it. */
export function withTable(text: string, machine: Machine, results: readonly Result[], rounds: number): string {
  if (!markers.test(text)) throw new Error("README.md has no <!-- bench --> … <!-- /bench -->");
  const ratio = "`2.00×` means that editwire is twice as good as the column's contender";
  const meaning = `Medians of ${rounds} interleaved rounds; ${ratio}.`;
  const about = wrapped(`${meaning} ${machineLine(machine)}.`);
  const table = markdown(tableOf(results, "short"));
  return text.replace(markers, (_all, open: string, close: string) => `${open}\n${table}\n\n${about}\n${close}`);
}

/** A paragraph in lines of up to 120 columns. */
const wrapped = (text: string): string => text.replace(/(.{1,120})(?: |$)/g, "$1\n").trimEnd();
