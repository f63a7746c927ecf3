import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import * as z from "zod";
import { type IncidentList, readIncidentList } from "./incident-list.js";
import { readKonveyorReport, type Roots } from "./konveyor.js";

/** A file of incidents cannot be used. */
export class IncidentFileError extends Error {
  override readonly name = "IncidentFileError";
}

/**
 * Reads incidents from JSON or YAML: Kaiak's own form, or the report of Konveyor's analyzer. Throws an
 * `IncidentFileError` for a file that is neither, or has no incidents.
 */
export async function readIncidents(file: string, roots: Roots): Promise<IncidentList> {
  const value = await valueIn(file);
  const found = interpret(file, value, roots);
  if (found.incidents.length === 0) throw new IncidentFileError(`${file} has no incidents`);
  return found;
}

async function valueIn(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, "utf8")); // JSON is YAML, too
  } catch (error) {
    throw new IncidentFileError(`Cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}

function interpret(file: string, value: unknown, roots: Roots): IncidentList {
  try {
    return isReport(value) ? readKonveyorReport(value, roots) : readIncidentList(value);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new IncidentFileError(`${file} has no incidents that can be read:\n${z.prettifyError(error)}`);
  }
}

/** A report is a list of rulesets, which have none of the fields that every incident has. */
function isReport(value: unknown): boolean {
  return Array.isArray(value) && !value.some((item) => typeof item === "object" && item !== null && "rule_id" in item);
}
