import type { ContentBlock } from "@editwire/acp";

/** How far a tool call is. The last four are ends. */
export type AgentToolCallStatus =
  | "pending"
  /** The user is asked. */
  | "waiting"
  | "in_progress"
  | "completed"
  | "failed"
  /** The user said no. */
  | "rejected"
  /** Its turn was cancelled before it ended. */
  | "cancelled";

/** A change of one file. */
export interface AgentToolCallDiff {
  readonly type: "diff";
  /** Absolute. */
  readonly path: string;
  /** Absent for a new file. */
  readonly oldText?: string | undefined;
  readonly newText: string;
}

/** One piece of what a tool call shows. */
export type AgentToolCallContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "content"; readonly content: ContentBlock }
  | AgentToolCallDiff
  /** A command. `terminalId` names a terminal of the editor; `output` is what it wrote, where that is known. */
  | { readonly type: "terminal"; readonly terminalId: string; readonly output?: string | undefined };

/** A place in a file that a tool call touches. */
export interface AgentToolCallLocation {
  /** Absolute. */
  readonly path: string;
  /** Counts from 1. */
  readonly line?: number | undefined;
}

/** All that is known of a tool call. */
export interface AgentToolCallState {
  /** Unique in its session. */
  readonly toolCallId: string;
  /** The title that the user sees. */
  readonly title: string;
  readonly status: AgentToolCallStatus;
  /** The tool's name for programs, such as `apply_change`. */
  readonly name?: string | undefined;
  /** Such as `read`, `edit`, `execute`, `search`. */
  readonly kind?: string | undefined;
  /** The tool's arguments: any JSON value, usually an object. */
  readonly input?: unknown;
  /** The tool's result: any JSON value, usually a text. */
  readonly output?: unknown;
  readonly contents: readonly AgentToolCallContent[];
  readonly locations: readonly AgentToolCallLocation[];
}

/** The changed fields of a tool call; a field left out stays as it was. */
export interface AgentToolCallChange {
  title?: string | undefined;
  name?: string | undefined;
  kind?: string | undefined;
  input?: unknown;
  output?: unknown;
  /** Replaces the contents. */
  contents?: readonly AgentToolCallContent[] | undefined;
  /** Short for `contents` of one diff, or of several. */
  diff?: Omit<AgentToolCallDiff, "type"> | readonly Omit<AgentToolCallDiff, "type">[] | undefined;
  locations?: readonly AgentToolCallLocation[] | undefined;
}

/** A tool call to announce. */
export interface AgentNewToolCall extends AgentToolCallChange {
  title: string;
  /** Default: a new UUID, also where a call of the session has ended that had this id. */
  toolCallId?: string | undefined;
  /**
   * Default: `pending`, and `in_progress` in the next task of the event loop unless the user is asked by then. With
   * `pending`, it stays so until `update`, `start` or the call's end.
   */
  status?: "pending" | "in_progress" | undefined;
}

const ends: readonly AgentToolCallStatus[] = ["completed", "failed", "rejected", "cancelled"];

/** Says whether a status is an end. */
export function isEnd(status: AgentToolCallStatus): boolean {
  return ends.includes(status);
}

/** True for a call whose input may follow. */
export function awaitsInput({ input, status }: AgentToolCallState): boolean {
  return status === "pending" && input === undefined;
}

/**
 * The arguments of a tool as an object, for clients that show one with each call. Of a call without input, these are
 * its kind and places, or else its title: an empty object would be shown as such.
 */
export function inputObject({ input, title, kind, locations }: AgentToolCallState): Readonly<Record<string, unknown>> {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return { ...input };
  if (input !== undefined && input !== null) return { input };
  const paths = [...new Set(locations.map(({ path }) => path))];
  const known = {
    ...(kind === undefined ? {} : { kind }),
    ...(paths.length === 0 ? {} : { path: paths.length === 1 ? paths[0] : paths }),
  };
  return Object.keys(known).length === 0 ? { title } : known;
}

/** The input of a far call; `undefined` where its protocol, which demands an object, has an empty one. */
export function inputIn(given: object): object | undefined {
  return Object.keys(given).length === 0 ? undefined : given;
}

/** The state of a call after a change. */
export function changed(
  before: AgentToolCallState,
  status: AgentToolCallStatus,
  change: AgentToolCallChange,
): AgentToolCallState {
  const contents = change.contents ?? contentsOf(change.diff);
  return {
    toolCallId: before.toolCallId,
    title: change.title ?? before.title,
    status,
    name: change.name ?? before.name,
    kind: change.kind ?? before.kind,
    // Null is a value here, so a field counts as left out only when it is undefined.
    input: change.input === undefined ? before.input : change.input,
    output: change.output === undefined ? before.output : change.output,
    contents: contents ?? before.contents,
    locations: change.locations ?? before.locations,
  };
}

/** A call as it is announced. */
export function announced(toolCallId: string, call: AgentNewToolCall): AgentToolCallState {
  const { title, status = "pending" } = call;
  const contents = call.contents ?? contentsOf(call.diff) ?? [];
  const locations = contents.flatMap((content) => (content.type === "diff" ? [{ path: content.path }] : []));
  return changed({ toolCallId, title, status, contents, locations }, status, call);
}

function contentsOf(diff: AgentToolCallChange["diff"]): readonly AgentToolCallContent[] | undefined {
  if (diff === undefined) return undefined;
  return [diff].flat().map((one) => ({ type: "diff", ...one }) as AgentToolCallDiff);
}
