import { type Change, isObject, RemoteError, WireError } from "@editwire/core";
import type { Configuration } from "./configuration.js";
import { configurationDefaults } from "./defaults.js";

type Fields = Readonly<Record<string, unknown>>;

const onObject =
  (change: (fields: Fields) => unknown): Change =>
  (value) =>
    isObject(value) ? change(value) : value;

const permissionLevels: Readonly<Record<string, string>> = {
  allow: "always_allow",
  approve: "ask_before",
  deny: "never_allow",
};
const permissions = Object.fromEntries(Object.entries(permissionLevels).map(([ours, theirs]) => [theirs, ours]));

function mapped(names: Readonly<Record<string, string>>, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, name]) => [key, names[String(name)] ?? name]));
}

/** The parts of a configuration for which the dialect of January 2026 has no field, one text each. */
export function unsentIn({ workspace, tools }: Configuration): string[] {
  const { include_patterns, exclude_patterns } = workspace;
  const parts = {
    "workspace.include_patterns": include_patterns,
    "workspace.exclude_patterns": exclude_patterns,
    tools,
  };
  return Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: the server's dialect does not have it`],
  );
}

/** A configuration as each run carries it. The whole of `override_base_config` replaces what the server has. */
function agentConfig({ workspace, model, session, permissions: given }: Configuration, id: unknown): Fields {
  const { max_turns, retry_config } = session ?? {};
  const base = {
    model: { ...configurationDefaults.model, ...model },
    tool_permissions: mapped(permissionLevels, given?.tool_permissions ?? {}),
  };
  return {
    workspace: workspace.working_dir,
    ...(session === undefined ? {} : { session: { id: id ?? "", max_turns, retry_config } }),
    ...(model === undefined && given === undefined ? {} : { override_base_config: base }),
  };
}

function configurationIn({ workspace, session, override_base_config: base }: Fields): Fields {
  const { max_turns, retry_config } = isObject(session) ? session : {};
  const { model, tool_permissions } = isObject(base) ? base : {};
  return {
    workspace: { working_dir: workspace },
    ...(model === undefined ? {} : { model: withoutNulls(model) }),
    ...(tool_permissions === undefined
      ? {}
      : { permissions: { tool_permissions: mapped(permissions, tool_permissions) } }),
    ...(isObject(session) ? { session: withoutNulls({ max_turns, retry_config }) } : {}),
  };
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));
}

const method = "kaiak/generate_fix";

/** Throws `WireError("invalid_params")` without a configuration, and for an incident without its file. */
export const writeRun: Change = onObject(({ session_id, incidents, configuration, begins, ...rest }) => {
  if (configuration === undefined)
    throw new WireError(
      "invalid_params",
      `${method}: in this dialect, each run carries a configuration; call configure first`,
    );
  const id = begins === true ? undefined : session_id;
  return {
    ...(id === undefined ? {} : { session_id: id }),
    incidents: (incidents as readonly Fields[]).map((incident, index) => {
      if (incident["uri"] !== undefined) return { description: incident["message"], ...incident };
      throw new WireError("invalid_params", `${method}: params.incidents.${index}.uri: this dialect requires it`);
    }),
    ...rest,
    agent_config: agentConfig(configuration as Configuration, id),
  };
});

/** Names a session that has no name yet. */
export const readRun: Change = onObject(({ session_id, incidents, agent_config, ...rest }) => {
  const begins = session_id === undefined || session_id === null;
  return {
    ...rest,
    session_id: begins ? crypto.randomUUID() : session_id,
    begins,
    incidents: Array.isArray(incidents)
      ? incidents.map((incident: unknown) => (isObject(incident) ? { rule_id: "", ...incident } : incident))
      : incidents,
    configuration: isObject(agent_config) ? configurationIn(agent_config) : agent_config,
  };
});

/** The result says when the run was created. How it ended and what it processed stand beside the dialect's own. */
export const writeRunResult: Change = onObject(({ completed_at: created_at, ...rest }) => ({ ...rest, created_at }));

/** A result without `status` is that of a run that has ended by itself, and one without a count is read as 0. */
export const readRunResult: Change = onObject(({ created_at, ...rest }) => ({
  status: "completed",
  incident_count: 0,
  completed_at: created_at,
  ...rest,
}));

export const writeDeletion: Change = onObject(({ session_id, force = false, cleanup_files = true }) => ({
  session_id,
  cleanup_options: { force, cleanup_temp_files: cleanup_files, preserve_logs: true },
}));

/** `force` and `cleanup_files` of the specification mean nothing in this dialect. */
export const readDeletion: Change = onObject(({ cleanup_options, force: _force, cleanup_files: _files, ...rest }) => {
  const { force, cleanup_temp_files } = isObject(cleanup_options) ? cleanup_options : {};
  return {
    ...rest,
    ...(force === undefined ? {} : { force }),
    ...(cleanup_temp_files === undefined ? {} : { cleanup_files: cleanup_temp_files }),
  };
});

const unknownSession = "Session not found";

export const writeDeletionResult: Change = onObject(({ cleanup_summary, ...rest }) => {
  const { session_removed, temp_files_removed, errors } = cleanup_summary as Fields & { errors: readonly string[] };
  return {
    ...rest,
    status: session_removed === true || errors.includes(unknownSession) ? "deleted" : "failed",
    cleanup_results: {
      session_removed,
      temp_files_cleaned: temp_files_removed !== 0,
      logs_preserved: true,
      warnings: errors,
      files_removed: temp_files_removed,
    },
  };
});

/**
 * Reads the result of a deletion. One that removed nothing is thrown as the error that it is in the specification:
 * `notFound` for an unknown session, and otherwise `failed`.
 */
export function readDeletionResult(notFound: number, failed: number): Change {
  return onObject(({ cleanup_results, ...rest }) => {
    if (!isObject(cleanup_results)) return rest;
    const { session_removed, files_removed, warnings } = cleanup_results;
    const { session_id, status } = rest;
    const errors = Array.isArray(warnings) ? warnings : [];
    if (status === "not_found" || (status === "deleted" && session_removed !== true))
      throw new RemoteError(notFound, unknownSession, { session_id });
    if (status !== "deleted")
      throw new RemoteError(failed, `The session was not deleted (${String(status)})`, {
        session_id,
        warnings: errors,
      });
    return {
      ...rest,
      cleanup_summary: { session_removed, messages_cleaned: 0, temp_files_removed: files_removed ?? 0, errors },
    };
  });
}

/** The result of a deletion that was refused, which is not an error in this dialect. */
export function refusedDeletion(params: unknown, message: string): Fields {
  return {
    session_id: isObject(params) ? params["session_id"] : undefined,
    status: "deleted",
    cleanup_summary: { session_removed: false, messages_cleaned: 0, temp_files_removed: 0, errors: [message] },
    deleted_at: new Date().toISOString(),
  };
}
