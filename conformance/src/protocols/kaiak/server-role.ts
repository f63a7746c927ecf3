import { isObject } from "@editwire/core";
import { isAlive } from "../../core/talk/alive.js";
import type { Call } from "../../core/talk/call.js";
import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import type { Handshake, RoleSuite } from "../../core/protocol.js";
import type { Incoming, Talk } from "../../core/talk/talk.js";
import type { WaitOptions } from "../../core/talk/waits.js";
import { makeWorkspace } from "../../core/run/workspace.js";
import { incident, sampleParams, wholeConfiguration } from "./samples.js";

type Json = Record<string, unknown>;

/** Which run a case begins. */
export interface RunOptions {
  /** Default: a new session. */
  readonly session?: string | undefined;
  /** Default: the case's connection. */
  readonly talk?: Talk | undefined;
  /** More fields of the params. */
  readonly params?: Json | undefined;
}

/** A run that a case began. */
export interface TestRun extends Call {
  readonly session: string;
  /** Waits for a notification `kaiak/stream/<kind>` of the session. */
  stream(kind: string, content?: Json, options?: WaitOptions): Promise<Incoming>;
  /** Waits for the result. Questions that the case did not ask for are answered meanwhile. */
  ended(pattern?: Json): Promise<Json>;
  /** The notifications of the session that no wait has consumed. */
  notes(kind?: string): readonly Json[];
}

/** The tools of cases for servers. */
export interface ServerContext extends CaseContext {
  /** Returns the result of `kaiak/configure`; configures the server first. */
  configured(): Promise<Json>;
  /** Params of `kaiak/configure` that the server accepts. */
  configureParams(): Promise<Json>;
  /** The id of a new session. */
  session(): string;
  /** Begins a run whose first incident has this message. */
  run(message: string, options?: RunOptions): TestRun;
  /** Answers a question of a run. */
  respond(interactionId: unknown, response: unknown): Call;
  /** Makes sure that the server still answers; an expectation like any other. */
  alive(): Promise<void>;
}

interface ServerHandshake extends Handshake {
  readonly result: Json;
  readonly params: Json;
}

/** The params with which the suite configures a server. */
export const configureParams = (): Json => sampleParams("kaiak/configure");

/** Declares cases for servers. */
export const defineCases = casesOf<ServerContext>("kaiak.server");

/** How the suite plays the client. */
export const serverRole: RoleSuite = {
  role: "server",
  peer: "client",
  handshake: async (talk): Promise<ServerHandshake> => {
    makeWorkspace();
    const params = configureParams();
    const { error, result } = await talk.send.request("kaiak/configure", params).response();
    if (error === undefined) return { result: result as Json, params };
    // The specification's only example has every section, so a server may demand them.
    const whole = { configuration: wholeConfiguration, reset_existing: false };
    return { result: await talk.send.request("kaiak/configure", whole).result(), params: whole };
  },
  context: serverContext,
};

let sessions = 0;
/** A session id with letters: a server may not change their case. */
const newSession = (): string => `abcdef01-2345-4678-9abc-${String(++sessions).padStart(12, "0")}`;

/** The answer to a question. */
export const responseTo = (id: unknown, response: unknown): Json => ({
  interaction_id: id,
  response_type: "choice",
  response_data: { response },
});

function serverContext(base: CaseContext): ServerContext {
  /** The case has a behavior that asks, and answers it. */
  let asks = false;
  return {
    ...base,
    say(behavior, args) {
      asks ||= behavior === "ask" || behavior === "modify";
      return base.say(behavior, args);
    },
    configured: async () => ((await base.handshake()) as ServerHandshake).result,
    configureParams: async () => ((await base.handshake()) as ServerHandshake).params,
    session: newSession,
    run: (message, options) => runOf(base, message, options, () => asks),
    respond: (id, response) => base.send.request("kaiak/interaction/respond", responseTo(id, response)),
    alive: () => isAlive(base, () => base.send.request("kaiak/configure", configureParams())),
  };
}

function runOf(
  base: CaseContext,
  message: string,
  { session = newSession(), talk = base, params = {} }: RunOptions = {},
  asks: () => boolean,
): TestRun {
  const call = talk.send.request("kaiak/generate_fix", {
    session_id: session,
    incidents: [{ ...incident, message }],
    ...params,
  });
  const all = { session_id: session };
  return {
    ...call,
    session,
    stream: (kind, content, options) =>
      talk.expect.notify(`kaiak/stream/${kind}`, { ...all, ...(content !== undefined && { content }) }, options),
    async ended(pattern) {
      const stop = asks() ? () => {} : answering(talk, session);
      try {
        return await call.result(pattern);
      } finally {
        stop();
      }
    },
    notes: (kind) =>
      talk.rest(kind && `kaiak/stream/${kind}`, all).flatMap(({ params: one }) => {
        return isObject(one["content"]) ? [one["content"]] : [];
      }),
  };
}

/**
 * Answers every question of a session with its first option: a server with a model may ask before any tool, and a case
 * that is not about that lets it go on. Returns what stops it.
 */
export function answering({ conversation, send }: Talk, session: string): () => void {
  const answered = new Set<unknown>();
  const answer = (): void => {
    for (const { is } of conversation.received) {
      if (is.kind !== "notification" || is.method !== "kaiak/stream/user_interaction" || !isObject(is.params)) continue;
      const { content, session_id } = is.params;
      if (session_id !== session || !isObject(content) || answered.has(content["interaction_id"])) continue;
      answered.add(content["interaction_id"]);
      const [first = "yes"] = Array.isArray(content["options"]) ? (content["options"] as unknown[]) : [];
      send.request("kaiak/interaction/respond", responseTo(String(content["interaction_id"]), first));
    }
  };
  answer();
  return conversation.link.trace.subscribe((entry) => {
    if (entry.kind === "message" && entry.from === "target") answer();
  });
}
