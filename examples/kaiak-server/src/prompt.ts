import { systemPrompt } from "@editwire/example-coding-agent";
import type { FullConfiguration, Incident, MigrationContext } from "@editwire/kaiak";
import { type IncidentGroup, lineOf } from "./groups.js";
import { modeOf } from "./permissions.js";

/** The instructions for the model. */
export function migrationSystemPrompt(configuration: FullConfiguration): string {
  return [
    systemPrompt(configuration.workspace.working_dir, modeOf(configuration)),
    "You fix incidents that an analyzer found for a migration. Change what an incident asks for, and nothing else.",
  ].join("\n");
}

/** The incidents of a group, as the model is given them. */
export function migrationPrompt({ path, incidents }: IncidentGroup, context: MigrationContext): string {
  const { source_technology: from, target_technology: to, migration_hints = [], constraints = [] } = context;
  const migration = from === undefined || to === undefined ? "a migration" : `a migration from ${from} to ${to}`;
  return [
    `Fix these incidents of ${migration}.`,
    "",
    ...incidents.map((incident, index) => `${index + 1}. ${describe(incident, path)}`),
    ...listed("Hints", migration_hints),
    ...listed("Constraints", constraints),
    ...preferencesOf(context),
  ].join("\n");
}

function describe(incident: Incident, path: string | undefined): string {
  const { rule_id, message, description, severity, effort } = incident;
  const line = lineOf(incident);
  const place = path === undefined ? "" : `${path}${line === undefined ? "" : `, line ${line}`}: `;
  const facts = [`rule ${rule_id}`, severity && `severity ${severity}`, effort && `effort ${effort}`].filter(Boolean);
  return `${place}${message} (${facts.join(", ")})${description === undefined ? "" : `\n   ${description}`}`;
}

function listed(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ["", `${title}:`, ...items.map((item) => `- ${item}`)];
}

function preferencesOf({ preferences = {} }: MigrationContext): string[] {
  return Object.keys(preferences).length === 0 ? [] : ["", `Preferences: ${JSON.stringify(preferences)}`];
}
