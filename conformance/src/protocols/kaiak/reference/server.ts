import { isObject } from "@editwire/core";
import { pause } from "../../../core/talk/time.js";
import type { Serve } from "../../../wire/memory.js";
import type { PipeEnd } from "../../../wire/pipe.js";
import { carrier } from "../envelope.js";
import { methodsFrom } from "../samples.js";
import {
  type Ending,
  type Json,
  now,
  objectOf,
  type Question,
  type Refusal,
  rightServer,
  type Run,
  type ServerBehavior,
  type Session,
} from "./server-behavior.js";
import { takeRun } from "./server-run.js";

/**
 * The reference server, with some of its switches replaced: every call serves one connection. Connections with the same
 * `shared` state are to one server.
 */
export function referenceServer(patch: Partial<ServerBehavior> = {}, shared = new SharedState()): Serve {
  return (pipe) => new ServerConnection(pipe, shared, { ...rightServer, ...patch }).start();
}

/** The state that the connections of a server share. */
export class SharedState {
  readonly sessions = new Map<string, Session>();
  readonly questions = new Map<string, Question>();
  /** It died, and serves nobody. */
  isDead = false;
  runs = 0;
  last: Promise<unknown> = Promise.resolve();

  session(id: string): Session {
    const session = this.sessions.get(id) ?? { id, run: undefined, since: now(), messages: 0 };
    this.sessions.set(id, session);
    return session;
  }

  ask(question: Question, idOf: ServerBehavior["questionId"]): string {
    const id = idOf(this.questions.size + 1);
    this.questions.set(id, question);
    return id;
  }
}

/** The answer to a request. */
type Answer = { readonly error: Refusal } | { readonly result: unknown };

class ServerConnection {
  readonly #pipe: PipeEnd;
  readonly #server: SharedState;
  readonly #behavior: ServerBehavior;
  readonly #runs = new Set<Run>();
  #dead = false;

  constructor(pipe: PipeEnd, server: SharedState, behavior: ServerBehavior) {
    this.#pipe = pipe;
    this.#server = server;
    this.#behavior = behavior;
  }

  start(): void {
    const reader = this.#behavior.reader();
    this.#pipe.listen({
      data: (chunk) => {
        for (const cut of this.#dead ? [] : reader.push(chunk)) {
          if (cut.ok) this.#take(cut.message);
          else this.#sendOrDie(this.#behavior.notJson(cut.problem));
        }
      },
      end: () => this.#lost(),
    });
  }

  #lost(): void {
    for (const { abort } of this.#runs) abort.abort("lost");
    if (this.#runs.size > 0 && !this.#behavior.survivesLoss) this.#server.isDead = true;
    if (this.#behavior.endsWithInput) this.#pipe.end();
  }

  #die(): void {
    this.#dead = true;
    this.#pipe.destroy();
  }

  #take(message: unknown): void {
    // A server that died takes nothing, on any connection.
    if (this.#server.isDead) return this.#die();
    const behavior = this.#behavior;
    if (!isObject(message) || message["jsonrpc"] !== "2.0") return this.#sendAll(behavior.notRpc(message));
    const { id, method, params } = message;
    if (method === undefined && ("result" in message || "error" in message)) return;
    if (typeof method !== "string") return this.#sendAll(behavior.notRpc(message));
    if (id === undefined) return this.#notified(method, objectOf(params));
    if (!behavior.responsive && this.#runs.size > 0) return;
    if (method !== carrier) return this.#requested(id, method, params ?? {});
    const problem = behavior.carrierProblem(objectOf(params));
    if (problem !== undefined) return this.#answer(id, method, { error: problem });
    const { command, arguments: list } = objectOf(params);
    this.#requested(id, String(command), (list as unknown[] | undefined)?.[0], true);
  }

  #notified(method: string, params: Json): void {
    if (method === "exit") return this.#die();
    if (method === "$/cancelRequest") {
      for (const run of this.#behavior.cancels(params["id"], [...this.#runs])) run.abort.abort("cancelled");
      return;
    }
    this.#sendOrDie(method === carrier ? [] : this.#behavior.unknownNotification(method));
  }

  #sendOrDie(replies: readonly Json[] | "die"): void {
    if (replies === "die") this.#die();
    else this.#sendAll(replies);
  }

  #requested(id: unknown, method: string, params: unknown, isCommand = false): void {
    const behavior = this.#behavior;
    const problem = behavior.paramsProblem(method, params);
    if (problem !== undefined) return this.#answer(id, method, { error: problem });
    const read = isObject(params) ? behavior.read(params) : {};
    if (method === "kaiak/generate_fix") return this.#fix(id, read);
    if (method === "kaiak/delete_session") return void this.#delete(id, read);
    const answer = this.#answerTo(method, read);
    const unknown = isCommand ? behavior.unknownCommand(method) : behavior.unknownRequest(method);
    if (answer !== undefined) this.#answer(id, method, answer);
    else if (unknown !== undefined) this.#answer(id, method, { error: unknown });
  }

  #answerTo(method: string, params: Json): Answer | undefined {
    const behavior = this.#behavior;
    if (method === "kaiak/configure") return this.#configure(params);
    if (method === "kaiak/interaction/respond")
      return this.#respond(params["interaction_id"], objectOf(params["response_data"])["response"]);
    if (method === "kaiak/client/user_message") {
      const found = behavior.userMessage(params);
      return found && this.#respond(found.id, found.answer);
    }
    const result = methodsFrom("client", "request").includes(method) ? undefined : behavior.lspResult(method);
    return result === undefined ? undefined : { result };
  }

  #configure({ configuration, reset_existing = false }: Json): Answer {
    const behavior = this.#behavior;
    const { workspace } = objectOf(configuration);
    const problem =
      behavior.directoryProblem(String(objectOf(workspace)["working_dir"])) ??
      behavior.againProblem(reset_existing === true);
    if (problem !== undefined) return { error: problem };
    const configuration_applied = behavior.applied(objectOf(configuration));
    const message = "Agent configured successfully";
    return { result: { status: "success", message, configuration_applied, warnings: [], timestamp: now() } };
  }

  #respond(id: unknown, answer: unknown): Answer {
    const question = this.#server.questions.get(String(id));
    const problem = this.#behavior.answerProblem(id, question, answer);
    if (problem !== undefined) return { error: problem };
    if (question !== undefined) {
      question.over = true;
      question.settle(this.#behavior.answered(String(answer)));
    }
    return { result: { success: true, message: "Response accepted" } };
  }

  async #delete(id: unknown, { session_id, force = false }: Json): Promise<void> {
    const behavior = this.#behavior;
    const method = "kaiak/delete_session";
    const session = this.#server.sessions.get(String(session_id));
    const problem = behavior.deleteProblem(String(session_id), session, force === true);
    if (problem !== undefined) return this.#answer(id, method, { error: problem });
    const { run, messages = 0 } = session ?? {};
    for (const one of run === undefined ? [] : behavior.cancelsAtDelete(run, [...this.#runs])) {
      one.abort.abort("cancelled");
      await one.over;
    }
    if (behavior.forgets) this.#server.sessions.delete(String(session_id));
    const cleanup_summary = { session_removed: true, messages_cleaned: messages, temp_files_removed: 0, errors: [] };
    this.#answer(id, method, { result: { session_id, status: "deleted", cleanup_summary, deleted_at: now() } });
  }

  #fix(id: unknown, params: Json): void {
    const behavior = this.#behavior;
    const method = "kaiak/generate_fix";
    const given = String(params["session_id"]);
    const known = this.#server.sessions.get(given);
    const problem =
      known === undefined
        ? behavior.unknownSession(given)
        : known.run === undefined
          ? undefined
          : behavior.inUse(known);
    if (problem !== undefined) return this.#answer(id, method, { error: problem });
    const session = this.#server.session(given);
    let finish = (): void => {};
    const over = new Promise<void>((resolve) => (finish = resolve));
    const abort = new AbortController();
    const run: Run = { id: behavior.requestId(++this.#server.runs), session, params, call: id, abort, over };
    session.run = run;
    session.since = now();
    this.#runs.add(run);
    const before = this.#server.last;
    const take = async (): Promise<void> => {
      if (behavior.oneRunInAll) await before;
      await this.#run(run);
      finish();
    };
    this.#server.last = take();
  }

  async #run(run: Run): Promise<void> {
    const { session, abort, params } = run;
    const behavior = this.#behavior;
    const { signal } = abort;
    const send = (kind: string, content: Json): void => {
      for (const [name, one] of behavior.notes(kind, content)) this.#stream(run, name, one);
    };
    const progress = (percentage: number, phase: string): void =>
      send("progress", { percentage, phase, description: `${phase} the incidents`, current_step: null });
    const late = pause(behavior.limit(objectOf(params["options"])), signal).then(() => abort.abort("late"));
    late.catch(() => {});
    progress(0, "analyzing");
    const ask = (question: Question): string => this.#server.ask(question, this.#behavior.questionId);
    const ending = await takeRun({ behavior, params, signal, send, ask });
    const reason: unknown = signal.reason;
    const how = ending === "cancelled" && reason === "late" ? "late" : ending;
    if (how === "completed") {
      progress(100, "fixed");
      send("system", { message: "Agent processing completed", level: "info", component: "reference" });
    }
    abort.abort("over");
    this.#runs.delete(run);
    if (behavior.releases(reason === "lost" ? "lost" : how)) session.run = undefined;
    this.#answer(run.call, "kaiak/generate_fix", { result: this.#ended(run, how) });
    behavior.afterwards(send);
  }

  #ended({ id, session, params }: Run, how: Ending | "late"): Json {
    const { incidents } = params;
    const incident_count = Array.isArray(incidents) ? incidents.length : 0;
    const status = this.#behavior.status(how);
    return { request_id: id, session_id: session.id, status, incident_count, completed_at: now() };
  }

  #stream({ id, session }: Run, kind: string, content: Json): void {
    const message_id = `msg-${++session.messages}`;
    const params = { session_id: session.id, request_id: id, message_id, timestamp: now(), content };
    this.#send({ jsonrpc: "2.0", method: `kaiak/stream/${kind}`, params });
  }

  #answer(id: unknown, method: string, answer: Answer): void {
    const of = "result" in answer ? { result: this.#behavior.result(method, answer.result) } : answer;
    this.#send({ jsonrpc: "2.0", id, ...of });
  }

  #sendAll(messages: readonly Json[]): void {
    for (const message of messages) this.#send(message);
  }

  #send(message: Json): void {
    if (this.#dead) return;
    for (const one of this.#behavior.outgoing(message))
      this.#behavior.write(this.#behavior.encode(one), (bytes) => this.#pipe.write(bytes));
  }
}
