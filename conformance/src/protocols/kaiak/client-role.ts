import { isObject } from "@editwire/core";
import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import type { Conversation } from "../../core/talk/conversation.js";
import type { ErrorBody } from "../../core/talk/message.js";
import type { RoleSuite } from "../../core/protocol.js";
import type { Incoming, Talk } from "../../core/talk/talk.js";
import type { ByteExtras } from "../../wire/byte-link.js";
import { incident, methodsFrom, sampleResult } from "./samples.js";

type Json = Record<string, unknown>;

/** A run that the client asked for, and that the case has to answer. */
export interface ClientRun {
  /** The id that the client gave the session. */
  readonly id: string;
  /** The request. */
  readonly ask: Incoming;
  /** Settles when the client has finished the run. Rejects with an `ExpectationError` when it reports a failure. */
  readonly done: Promise<unknown>;
  /** Sends one notification `kaiak/stream/<kind>`, in any form. */
  note(kind: string, content: unknown, more?: Json): void;
  /** Asks the user, and gives the question's id. */
  question(options?: readonly string[]): string;
  /** Answers the run. */
  end(status?: string, more?: Json): void;
  refuse(error: ErrorBody): void;
}

/**
 * The tools of cases for clients: the suite is the server. The suite steers a client through its `Control`; the actions
 * marked with `?` are optional. `session` is the suite's own name for a session; the client makes its id.
 * - `fix {session, incidents}` has incidents processed, and resolves with `{status?}` when the run is over; it fails
 *   when the run is refused;
 * - `answer {response}` sets the user's answer to questions from now on; null: none;
 * - `configure? {configuration}` configures the server;
 * - `cancel? {session}` cancels the run;
 * - `delete? {session, force}` deletes the session;
 * - `report? {session}` gives what the user sees: `{text?, percentage?, toolCalls?: [{name, status?}], modifications?:
 *   [path], errors?: [error_code], failure?: {code, data?}}`; `failure` is that of the last run, and absent fields are
 *   not judged.
 */
export interface ClientContext extends CaseContext {
  /** Makes the client have incidents processed, and waits for its request. */
  run(session: string, incidents?: readonly Json[]): Promise<ClientRun>;
  /** A name for a new session. */
  session(): string;
  /** Shows that the client still works, by a whole run. */
  works(): Promise<void>;
  /** Shows that the client still answers, whatever runs. */
  alive(): Promise<void>;
  /** Says what the user answers to questions. */
  answers(response: string | null): Promise<unknown>;
  /** The session as the user sees it. Ends the case as not applicable when the client does not support `report`. */
  report(session: string): Promise<Json>;
  /** Makes the bytes of the suite's messages from now on; only on a connection of the case's own. */
  encode(encode: (message: unknown) => Uint8Array): void;
}

/** Declares cases for clients. */
export const defineCases = casesOf<ClientContext>("kaiak.client");

/** How the suite plays the server: where a case does not answer, the suite answers everything except runs. */
export const clientRole: RoleSuite = {
  role: "client",
  peer: "server",
  steered: true,
  // A client needs no handshake, and sends nothing before its first action.
  handshake({ conversation }: Talk) {
    answerAlone(conversation);
    return Promise.resolve({});
  },
  context: clientContext,
};

const fix = "kaiak/generate_fix";

function answerAlone(conversation: Conversation): void {
  for (const method of methodsFrom("client", "request").filter((one) => one !== fix))
    conversation.responders.set(method, (params) => ({ result: resultOf(method, params) }));
  conversation.responders.set("kaiak/client/user_message", () => ({ result: { success: true, message: "taken" } }));
  conversation.responders.set("initialize", () => ({ result: { capabilities: {} } }));
  conversation.responders.set("shutdown", () => ({ result: null }));
  conversation.otherwise = (method) =>
    method === fix ? undefined : { error: { code: -32601, message: `Method not found: ${method}` } };
}

/** A valid result, about the session that the params name. */
function resultOf(method: string, params: unknown): unknown {
  const session = isObject(params) ? params["session_id"] : undefined;
  const result = sampleResult(method);
  const names = isObject(result) && "session_id" in result && typeof session === "string" && session !== "";
  return names ? { ...result, session_id: session } : result;
}

let sessions = 0;
let requests = 0;

function clientContext(base: CaseContext): ClientContext {
  const ids = new Map<string, string>();
  const run: ClientContext["run"] = async (session, incidents = [incident]) => {
    await base.handshake();
    const done = base.act("fix", { session, incidents });
    const known = ids.get(session);
    const asked = base.expect.request(fix, known === undefined ? {} : { session_id: known });
    const ask = await Promise.race([asked, done.then(() => asked)]);
    ids.set(session, String(ask.params["session_id"]));
    return openRun(base, ask, done);
  };
  const session = (): string => `suite-${++sessions}`;
  return {
    ...base,
    run,
    session,
    alive: async () => void (await base.send.request("_conformance/alive", {}).response()),
    async works() {
      const one = await run(session());
      one.end();
      await one.done;
    },
    async answers(response) {
      await base.handshake();
      return base.act("answer", { response });
    },
    async report(name) {
      const seen = await base.act("report", { session: name }, { optional: true });
      return isObject(seen) ? seen : {};
    },
    encode: (encode) => void ((base.extras as ByteExtras).encode = encode),
  };
}

/** The params of a notification, from the ids of its run. */
export const noteParams = (session: string, request: string, message: number, content: unknown): Json => ({
  session_id: session,
  request_id: request,
  message_id: `msg-${message}`,
  timestamp: "2025-12-24T10:35:05Z",
  content,
});

/** The result of a run. */
export const runResult = (ask: Incoming, request: string, status: string): Json => ({
  request_id: request,
  session_id: ask.params["session_id"],
  status,
  incident_count: Array.isArray(ask.params["incidents"]) ? ask.params["incidents"].length : 0,
  completed_at: "2025-12-24T10:35:45Z",
});

/** A question as the suite asks it. */
export const questionContent = (interaction_id: string, options: readonly string[]): Json => ({
  interaction_id,
  interaction_type: "file_approval",
  prompt: "Apply this fix?",
  options,
  default_response: options.at(-1),
  timeout: 30,
});

function openRun({ send, conversation }: Talk, ask: Incoming, done: Promise<unknown>): ClientRun {
  const id = String(ask.params["session_id"]);
  const request = `req-${++requests}`;
  let messages = 0;
  const note: ClientRun["note"] = (kind, content, more = {}) =>
    void send.invalid({
      jsonrpc: "2.0",
      method: `kaiak/stream/${kind}`,
      params: { ...noteParams(id, request, ++messages, content), ...more },
    });
  return {
    id,
    ask,
    done,
    note,
    question(options = ["approve", "deny", "edit"]) {
      const interaction = `interaction-${++requests}`;
      note("user_interaction", questionContent(interaction, options));
      return interaction;
    },
    end: (status = "completed", more = {}) =>
      conversation.reply(ask.id, { ...runResult(ask, request, status), ...more }),
    refuse: (error) => conversation.refuse(ask.id, error),
  };
}

/**
 * The answer of a client to a question. The specification does not say in which request it travels; these are the two
 * that servers know.
 */
export function answerTo({ expect }: Pick<Talk, "expect">, interaction_id: string): Promise<unknown> {
  const responded = expect.request("kaiak/interaction/respond", { interaction_id }).then(responseIn);
  const said = expect.request("kaiak/client/user_message", { payload: { request_id: interaction_id } }).then(saidIn);
  return Promise.race([responded, said]);
}

/** The answer in a `kaiak/client/user_message`; a confirmation has words of its own. */
function saidIn({ params }: Incoming): unknown {
  const { action, user_data: data } = params["payload"] as Json;
  if (action !== undefined) return action === "allow_once" ? "approve" : action;
  return isObject(data) ? Object.values(data)[0] : data;
}

/** The answer in a `kaiak/interaction/respond`, as the specification's predecessor has it. */
function responseIn({ params }: Incoming): unknown {
  const data = params["response_data"];
  return isObject(data) ? data["response"] : data;
}
