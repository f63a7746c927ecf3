import { type Change, isObject, WireError } from "@editwire/core";

type Fields = Record<string, unknown>;

/** Changes the fields of an object. Other values stay as they are. */
export function fields(change: (fields: Fields) => Fields): Change {
  return (value) => (isObject(value) ? change(value) : value);
}

/** True for a string that is not empty. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Keeps these fields only. */
export function only(...names: readonly string[]): Change {
  return fields((params) =>
    Object.fromEntries(names.filter((name) => params[name] !== undefined).map((name) => [name, params[name]])),
  );
}

/** Refuses to send a message that the dialect does not have. */
export function refuse(what: string): Change {
  return () => {
    throw new WireError("invalid_params", `${what} is not a message of the profile "spec"; the profile "v2026" has it`);
  };
}

/**
 * A thread that is not known yet. The specification says "if known, null for first"; some hosts leave the field out,
 * and some send an empty string.
 */
export const nullThread: Change = fields((params) =>
  params["acp_thread_id"] === undefined || params["acp_thread_id"] === "" ? { ...params, acp_thread_id: null } : params,
);

/** Some hosts name the session in `session_id` only. */
export const hostSession: Change = fields((params) =>
  !isId(params["helix_session_id"]) && isId(params["session_id"])
    ? { ...params, helix_session_id: params["session_id"] }
    : params,
);

/** Most agents do not name the session. */
export const noSession: Change = fields((params) => {
  const { session_id, helix_session_id } = params;
  if (session_id !== undefined && session_id !== null) return params;
  const sent = isId(helix_session_id) ? helix_session_id : "";
  // The field that is added comes first: behind the others it would make an object that is slow to read.
  const named: Fields = { session_id: sent, ...params };
  named["session_id"] = sent;
  return named;
});
