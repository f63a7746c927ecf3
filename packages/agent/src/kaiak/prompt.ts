import type { ContentBlock, Meta } from "@editwire/acp";
import type { Incident, KaiakServerTurn, MigrationContext } from "@editwire/kaiak";

/** The field of a prompt's `_meta` that has a run, with the names of `kaiak/generate_fix`. */
export const runMeta = "editwire/kaiak";

/**
 * A run as the prompt of a turn: a text that a model understands, and the incidents as data. The data of the `meta`
 * also has the limits that the client has configured, without its model.
 */
export function promptOf(
  { requestId, incidents, migrationContext, options, configuration }: KaiakServerTurn,
  takesResources: boolean,
): { prompt: readonly ContentBlock[]; meta: Meta } {
  const { workspace, tools, session, permissions } = configuration;
  const run = { incidents, migration_context: migrationContext, options };
  const text = [
    `Fix ${incidents.length === 1 ? "this incident" : "these incidents"}${wayOf(migrationContext)}:`,
    incidents.map(incidentText).join("\n"),
    ...contextTexts(migrationContext),
    ...(options.include_explanations === false ? ["Do not explain the changes."] : []),
  ].join("\n\n");
  const resource = { uri: `kaiak:${requestId}`, mimeType: "application/json", text: JSON.stringify(run) };
  return {
    prompt: [{ type: "text", text }, ...(takesResources ? [{ type: "resource" as const, resource }] : [])],
    meta: { [runMeta]: { ...run, configuration: { workspace, tools, session, permissions } } },
  };
}

function wayOf({ source_technology: source, target_technology: target }: MigrationContext): string {
  if (source === undefined && target === undefined) return "";
  const from = source === undefined ? "" : ` from ${source}`;
  return ` of a migration${from}${target === undefined ? "" : ` to ${target}`}`;
}

function incidentText({ uri, message, rule_id, severity, effort, description }: Incident, index: number): string {
  const facts = [`rule ${rule_id}`, severity && `severity ${severity}`, effort && `effort ${effort}`];
  const place = uri === undefined ? "" : `${uri}: `;
  const more = description === undefined || description === "" ? "" : `\n   ${description.replaceAll("\n", "\n   ")}`;
  return `${index + 1}. ${place}${message} (${facts.filter(Boolean).join(", ")})${more}`;
}

function contextTexts({ migration_hints = [], constraints = [], preferences = {} }: MigrationContext): string[] {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join("\n")}`];
  const wishes = Object.entries(preferences).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [...list("Hints", migration_hints), ...list("Constraints", constraints), ...list("Preferences", wishes)];
}
