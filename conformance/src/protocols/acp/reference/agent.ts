import { isObject } from "@editwire/core";
import type { Serve } from "../../../wire/memory.js";
import type { PipeEnd } from "../../../wire/pipe.js";
import {
  type AgentBehavior,
  type AgentSession,
  type Framing,
  type Json,
  type Reader,
  type Refusal,
  rightAgent,
} from "./agent-behavior.js";
import { methodsFrom, sampleResult } from "../samples.js";
import { takeTurn, type Turn } from "./agent-turn.js";

/** The reference agent, with some of its switches replaced: every call serves one connection. */
export function referenceAgent(patch: Partial<AgentBehavior> = {}): Serve {
  const behavior = { ...rightAgent, ...patch };
  return (pipe) => new ReferenceAgent(pipe, behavior).start();
}

class ReferenceAgent {
  readonly #sessions = new Map<string, AgentSession>();
  readonly #asked: { readonly id: unknown; resolve(answer: Json | undefined): void }[] = [];
  readonly #reader: Reader;
  #first: Framing | undefined;
  #latest: Framing = "line";
  #requests = 0;
  #turns = 0;
  #clientCapabilities: Json = {};

  readonly #pipe: PipeEnd;
  readonly #behavior: AgentBehavior;

  constructor(pipe: PipeEnd, behavior: AgentBehavior) {
    this.#pipe = pipe;
    this.#behavior = behavior;

    this.#reader = behavior.reader();
  }

  start(): void {
    this.#pipe.listen({
      data: (chunk) => {
        for (const cut of this.#reader.push(this.#behavior.incoming(chunk))) {
          if (!cut.ok) {
            for (const reply of this.#behavior.notJson(cut.problem ?? "not a message")) this.#send(reply);
            continue;
          }
          this.#latest = cut.frame?.framing === "header" ? "header" : "line";
          this.#first ??= this.#latest;
          this.#take(cut.message);
        }
      },
      end: () => {
        for (const { turn } of this.#sessions.values()) turn?.abort();
        for (const { resolve } of this.#asked) resolve(undefined);
        if (this.#behavior.endsWithInput((this.#reader.end?.() ?? []).length > 0)) this.#pipe.end();
      },
    });
  }

  #take(message: unknown): void {
    if (!isObject(message) || message["jsonrpc"] !== "2.0") return this.#sendAll(this.#behavior.notRpc(message));
    const { id, method, params } = message;
    if (method !== undefined && typeof method !== "string") return this.#sendAll(this.#behavior.notRpc(message));
    if (method === undefined) {
      const index = this.#behavior.answered(
        id,
        this.#asked.map((one) => one.id),
      );
      const [found] = index < 0 ? [] : this.#asked.splice(index, 1);
      found?.resolve(isObject(message["result"]) ? message["result"] : undefined);
      return;
    }
    if (id === undefined || id === null) return this.#notified(method, isObject(params) ? params : {});
    if (params !== undefined && !isObject(params))
      return this.#refuse(id, { code: -32602, message: "params must be an object" });
    this.#requested(id, method, params ?? {});
  }

  #notified(method: string, params: Json): void {
    if (method === "session/cancel")
      this.#sendAll(
        this.#behavior.cancel(this.#sessions.get(String(params["sessionId"])), [...this.#sessions.values()]),
      );
    else this.#sendAll(this.#behavior.unknownNotification(method));
  }

  #requested(id: unknown, method: string, params: Json): void {
    const behavior = this.#behavior;
    switch (method) {
      case "initialize":
        if (isObject(params["clientCapabilities"])) this.#clientCapabilities = params["clientCapabilities"];
        return this.#answer(id, method, behavior.initializeProblem(params), () => behavior.initializeResult(params));
      case "authenticate":
        return this.#answer(id, method, behavior.authenticateProblem(params), () => sampleResult(method));
      case "session/new":
        return this.#answer(id, method, this.#openingProblem(method, params), () => this.#newSession(params));
      case "session/load":
        return this.#onSession(id, method, params, (session) =>
          this.#answer(id, method, this.#openingProblem(method, params), () => {
            session.isClosed = false;
            for (const update of behavior.replay(session.history)) this.#update(session.id, update);
            return behavior.loadSessionResult(session, behavior.modes(session.modeId));
          }),
        );
      case "session/prompt":
        return this.#onSession(id, method, params, (session) => this.#prompt(id, session, params));
      case "session/set_mode":
        return this.#onSession(id, method, params, (session) =>
          this.#answer(id, method, behavior.setModeProblem(params), () => {
            session.modeId = String(params["modeId"]);
            for (const update of behavior.modeUpdates(session.modeId)) this.#update(session.id, update);
            return sampleResult(method);
          }),
        );
      default:
        return this.#other(id, method, params);
    }
  }

  /** A request that the agent does nothing for: the method table says what it takes and what it answers. */
  #other(id: unknown, method: string, params: Json): void {
    const behavior = this.#behavior;
    const isKnown = methodsFrom("client", "request").includes(method);
    if (!isKnown && !behavior.more.includes(method))
      return this.#answer(id, method, behavior.unknownRequest(method), () => null);
    this.#answer(id, method, isKnown ? behavior.otherProblem(method, params) : undefined, () => {
      const session = this.#sessions.get(String(params["sessionId"]));
      const { updates, result } = behavior.other(method, params, session, this.#sessions);
      if (session !== undefined) for (const update of updates) this.#update(session.id, update);
      return result;
    });
  }

  #openingProblem(method: string, { cwd, mcpServers }: Json): Refusal | undefined {
    const behavior = this.#behavior;
    return behavior.cwdProblem(cwd, method) ?? behavior.mcpServersProblem(behavior.readServers(mcpServers), method);
  }

  #newSession({ cwd }: Json): unknown {
    const id = this.#behavior.sessionId(this.#sessions.size + 1);
    const session: AgentSession = {
      id,
      cwd: String(cwd),
      modeId: "full",
      turn: undefined,
      isClosed: false,
      history: [],
      past: [],
    };
    this.#sessions.set(id, session);
    return this.#behavior.newSessionResult(session, this.#behavior.modes(session.modeId));
  }

  #onSession(id: unknown, method: string, params: Json, action: (session: AgentSession) => void): void {
    const session = this.#sessions.get(String(params["sessionId"]));
    if (typeof params["sessionId"] !== "string")
      return this.#refuse(id, { code: -32602, message: "sessionId is required" });
    const isThere = session !== undefined && !(method === "session/prompt" && session.isClosed);
    if (isThere) return action(session);
    this.#answer(id, method, this.#behavior.unknownSession(method), () =>
      method === "session/prompt" ? { stopReason: "end_turn" } : {},
    );
  }

  #prompt(id: unknown, session: AgentSession, params: Json): void {
    const behavior = this.#behavior;
    const problem = behavior.promptProblem(params) ?? behavior.busy(session, [...this.#sessions.values()]);
    if (problem !== undefined) return this.#refuse(id, problem);
    const abort = new AbortController();
    session.turn = abort;
    const turn: Turn = {
      blocks: Array.isArray(params["prompt"]) ? params["prompt"].filter(isObject) : [],
      past: [...behavior.recalls(session, [...this.#sessions.values()])],
      heard: (text) => void session.past.push(text),
      toolCallId: behavior.toolCallId(++this.#turns),
      signal: abort.signal,
      update: (update) => {
        session.history.push(update);
        this.#update(session.id, update);
      },
      ask: (toolCall) => behavior.patience(this.#ask(session.id, toolCall, abort.signal)),
      allows: (outcome) => behavior.allows(outcome),
      request: (method, more) =>
        behavior.uses(method, this.#clientCapabilities)
          ? this.#request(method, behavior.serviceParams(method, { sessionId: session.id, ...more }))
          : Promise.resolve(undefined),
      commandSignal: behavior.commandSignal(abort.signal),
      leaves: (wasKilled) => behavior.leaves(wasKilled),
      model:
        behavior.model === undefined
          ? undefined
          : {
              url: behavior.model,
              signal: behavior.modelSignal(abort.signal),
              furtherPrompts: behavior.furtherPrompts,
            },
    };
    void takeTurn(turn).then((end) => {
      behavior.endTurn(session, typeof end !== "string");
      if (typeof end !== "string") return this.#refuse(id, end);
      this.#reply(
        id,
        "session/prompt",
        behavior.promptResult(behavior.stopReason(abort.signal.aborted ? "cancelled" : end)),
      );
    });
  }

  #ask(sessionId: string, toolCall: Json, signal: AbortSignal): Promise<Json | undefined> {
    const behavior = this.#behavior;
    const id = behavior.requestId(++this.#requests);
    const params = {
      sessionId,
      toolCall: behavior.permissionToolCall(toolCall),
      options: behavior.permissionOptions(),
    };
    return new Promise((resolve) => {
      this.#asked.push({
        id,
        resolve: (result) => resolve(isObject(result?.["outcome"]) ? result["outcome"] : undefined),
      });
      if (behavior.cancelsRequests()) signal.addEventListener("abort", () => resolve(undefined), { once: true });
      this.#send({ jsonrpc: "2.0", id, method: "session/request_permission", params });
    });
  }

  #request(method: string, params: Json): Promise<Json | undefined> {
    const id = this.#behavior.requestId(++this.#requests);
    return new Promise((resolve) => {
      this.#asked.push({ id, resolve });
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  #update(sessionId: string, update: Json): void {
    for (const one of this.#behavior.updates(update))
      this.#send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: one } });
  }

  #answer(id: unknown, method: string, problem: Refusal | undefined, result: () => unknown): void {
    if (problem !== undefined) this.#refuse(id, problem);
    else this.#reply(id, method, result());
  }

  #reply(id: unknown, method: string, result: unknown): void {
    this.#send({ jsonrpc: "2.0", id, result: this.#behavior.result(method, result) });
  }

  #refuse(id: unknown, error: Refusal): void {
    this.#send({ jsonrpc: "2.0", id, error });
  }

  #sendAll(messages: readonly Json[]): void {
    for (const message of messages) this.#send(message);
  }

  #send(message: Json): void {
    const behavior = this.#behavior;
    const pipe = this.#pipe;
    const framing = behavior.framing(this.#first ?? "line", this.#latest);
    for (const one of behavior.outgoing(message))
      behavior.write(behavior.encode(one, framing), (bytes) => pipe.write(bytes));
  }
}
