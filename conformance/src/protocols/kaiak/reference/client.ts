import { CallingClient, Refused } from "../../../packs/calling-client.js";
import { type Control, UnsupportedAction } from "../../../wire/link.js";
import type { Serve } from "../../../wire/memory.js";
import { type ClientBehavior, rightClient } from "./client-behavior.js";
import { type Json, objectOf, type Refusal } from "./server-behavior.js";

/** The reference client, with some of its switches replaced: every call is one connection. */
export function referenceClient(patch: Partial<ClientBehavior> = {}): Serve {
  const behavior = { ...rightClient, ...patch };
  return (pipe) => new ReferenceClient(pipe, behavior).start();
}

/** The client's state of a session. */
interface ClientSession {
  readonly id: string;
  run: number | undefined;
  refused: boolean;
  text: string;
  percentage: number | undefined;
  readonly toolCalls: Map<string, unknown>;
  readonly modifications: unknown[];
  readonly errors: unknown[];
  failure: Json | undefined;
}

class ReferenceClient extends CallingClient<ClientBehavior> {
  /** By the suite's name for them. */
  readonly #sessions = new Map<string, ClientSession>();
  #response: unknown = null;

  start(): Control {
    const { behavior } = this;
    this.listen(behavior.reader(), () => void (behavior.noise() === "die" && this.die()));
    return { do: (action, args = {}) => this.#act(action, args) };
  }

  async #act(action: string, args: Json): Promise<unknown> {
    const behavior = this.behavior;
    const session = this.#session(String(args["session"]));
    switch (action) {
      case "fix":
        return this.#fix(session, args["incidents"]);
      case "answer":
        this.#response = args["response"];
        return {};
      case "configure":
        await this.#command("kaiak/configure", { configuration: behavior.configuration(args["configuration"]) });
        return {};
      case "cancel":
        return this.#cancel(session);
      case "delete":
        await this.#command("kaiak/delete_session", behavior.deleteParams(session.id, args["force"]));
        return {};
      case "report": {
        const { text, percentage, toolCalls, modifications, errors, failure } = session;
        const calls = [...toolCalls].map(([name, status]) => ({ name, status }));
        return { text, percentage, toolCalls: calls, modifications, errors, failure };
      }
      default:
        throw new UnsupportedAction(`there is no action "${action}"`);
    }
  }

  #session(name: string): ClientSession {
    const known = this.#sessions.get(name);
    if (known !== undefined) return known;
    const id = this.behavior.sessionId(this.#sessions.size + 1);
    const lists = { toolCalls: new Map<string, unknown>(), modifications: [], errors: [] };
    const session = {
      id,
      run: undefined,
      refused: false,
      text: "",
      percentage: undefined,
      failure: undefined,
      ...lists,
    };
    this.#sessions.set(name, session);
    return session;
  }

  async #fix(session: ClientSession, incidents: unknown): Promise<Json> {
    const behavior = this.behavior;
    if (session.refused && !behavior.reuses) throw new Error("the session is broken");
    session.failure = undefined;
    const params = { session_id: session.id, incidents: behavior.incidents(incidents) };
    const call = this.#command("kaiak/generate_fix", params);
    session.run = this.nextId - 1;
    try {
      return { status: behavior.status((await call)["status"]) };
    } catch (error) {
      session.refused = true;
      if (error instanceof Refused) session.failure = behavior.failure(error.body as unknown as Refusal);
      throw error;
    } finally {
      session.run = undefined;
    }
  }

  #cancel({ run }: ClientSession): Json {
    if (run === undefined) return {};
    for (const message of this.behavior.cancel(run)) this.send(message);
    if (!this.behavior.waitsForCancelled) this.#settle({ run }, "cancelled");
    return {};
  }

  /** Ends a run that was not answered. */
  #settle({ run }: Pick<ClientSession, "run">, status = "completed"): void {
    if (run === undefined) return;
    this.calls.get(run)?.resolve({ status });
    this.calls.delete(run);
  }

  #command(command: string, params: Json): Promise<Json> {
    const { method, params: wrapped } = this.behavior.wrap(command, params);
    return this.call(command, params, { method, params: wrapped });
  }

  protected requested(id: unknown, method: string): void {
    const error = this.behavior.unknownRequest(method);
    if (error !== undefined) this.send({ jsonrpc: "2.0", id, error });
  }

  protected notified(method: string, params: Json): void {
    const kind = /^kaiak\/stream\/(.*)$/.exec(method)?.[1];
    if (kind !== undefined && this.behavior.knows(kind, objectOf(params["content"]))) return this.#noted(kind, params);
    if (this.behavior.unknownNotification(method) === "die") this.die();
  }

  #noted(kind: string, params: Json): void {
    const behavior = this.behavior;
    if (behavior.onNote(kind, params) === "die") return this.die();
    const sessions = [...this.#sessions.values()];
    const ids = sessions.map(({ id }) => id);
    const owner = behavior.owner(params["session_id"], ids);
    const session = sessions.find(({ id }) => id === owner);
    if (session === undefined) return;
    const content = objectOf(params["content"]);
    if (behavior.ends(kind, content)) this.#settle(session);
    switch (kind) {
      case "ai_response":
        session.text = behavior.joined(session.text, content["text"]);
        return;
      case "progress":
        session.percentage = Number(content["percentage"]);
        return;
      case "tool_call":
        return void session.toolCalls.set(String(content["tool_name"]), behavior.toolStatus(content["status"]));
      case "file_modification":
        return void session.modifications.push(content["file_path"]);
      case "error":
        return void session.errors.push(content["error_code"]);
      case "user_interaction":
        return this.#asked(content);
    }
  }

  #asked({ interaction_id }: Json): void {
    if (this.#response === null) return;
    for (const params of this.behavior.answer(interaction_id, this.#response))
      this.#command("kaiak/interaction/respond", params).catch(() => {});
  }
}
