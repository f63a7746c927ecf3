import { relative, sep } from "node:path";
import { isSystemError, pathOfUri, ToolError, type Workspace } from "@editwire/example-coding-agent";
import type { Incident } from "@editwire/kaiak";

/** An incident that may say where it is: its line is a field that neither dialect has. */
interface LocatedIncident extends Incident {
  readonly line_number?: unknown;
}

/** Incidents that are fixed together. */
export interface IncidentGroup {
  /** From the workspace's folder; absent for incidents that name no file. */
  readonly path: string | undefined;
  readonly incidents: readonly Incident[];
}

/** An incident that cannot be worked on. */
export interface Unreachable {
  readonly incident: Incident;
  readonly reason: string;
}

/** Puts incidents of one file together. A file that the workspace does not have makes its incidents unreachable. */
export async function groupByFile(
  incidents: readonly Incident[],
  workspace: Workspace,
): Promise<{ readonly groups: readonly IncidentGroup[]; readonly unreachable: readonly Unreachable[] }> {
  const groups = new Map<string | undefined, Incident[]>();
  const unreachable: Unreachable[] = [];
  for (const incident of incidents) {
    const path = pathOf(incident, workspace);
    const reason = path === undefined ? undefined : await problemOf(path, workspace);
    if (reason !== undefined) unreachable.push({ incident, reason });
    else groups.set(path, [...(groups.get(path) ?? []), incident]);
  }
  return { groups: [...groups].map(([path, members]) => ({ path, incidents: members })), unreachable };
}

/** The line of an incident, from 1, where it names one. */
export function lineOf({ line_number: line }: LocatedIncident): number | undefined {
  return typeof line === "number" && line > 0 ? line : undefined;
}

/** From the workspace's folder; a path that leads out of it stays as it is given. */
function pathOf({ uri }: LocatedIncident, { cwd, absolute }: Workspace): string | undefined {
  if (typeof uri !== "string" || uri === "") return undefined;
  const path = pathOfUri(uri) ?? uri;
  const way = relative(cwd, absolute(path)).split(sep).join("/");
  return way.startsWith("../") ? path : way;
}

async function problemOf(path: string, workspace: Workspace): Promise<string | undefined> {
  try {
    await workspace.read(path);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError || isSystemError(error)) return error.message;
    throw error;
  }
}
