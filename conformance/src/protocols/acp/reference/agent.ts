import { isObject } from "@editwire/core";
import { FrameCutter } from "../../../wire/framing.js";
import type { Serve } from "../../../wire/memory.js";
import type { PipeEnd } from "../../../wire/pipe.js";
import { type AgentBehaviour, type AgentSession, type Framing, type Json, type Refusal, rightAgent } from "./agent-behaviour.js";
import { takeTurn, type Turn } from "./agent-turn.js";

/** The reference agent, with some of its switches replaced: every call serves one connection. */
export function referenceAgent(patch: Partial<AgentBehaviour> = {}): Serve {
  const behaviour = { ...rightAgent, ...patch };
  return (pipe) => new ReferenceAgent(pipe, behaviour).start();
}

class ReferenceAgent {
  private readonly sessions = new Map<string, AgentSession>();
  private readonly asked = new Map<number, (answer: Json | undefined) => void>();
  private readonly cutter = new FrameCutter();
  private first: Framing | undefined;
  private latest: Framing = "line";
  private nextId = 1;

  constructor(
    private readonly pipe: PipeEnd,
    private readonly behaviour: AgentBehaviour,
  ) {}

  start(): void {
    this.pipe.listen({
      data: (chunk) => {
        for (const cut of this.cutter.push(this.behaviour.incoming(chunk))) {
          if (!cut.ok) {
            for (const reply of this.behaviour.notJson()) this.send(reply);
            continue;
          }
          this.latest = cut.frame.framing as Framing;
          this.first ??= this.latest;
          this.take(cut.message);
        }
      },
      end: () => {
        for (const { turn } of this.sessions.values()) turn?.abort();
        for (const resolve of this.asked.values()) resolve(undefined);
        if (this.behaviour.endsWithInput(this.cutter.end().length > 0)) this.pipe.end();
      },
    });
  }

  private take(message: unknown): void {
    if (!isObject(message) || message["jsonrpc"] !== "2.0") return this.sendAll(this.behaviour.notRpc(message));
    const { id, method, params } = message;
    if (method !== undefined && typeof method !== "string") return this.sendAll(this.behaviour.notRpc(message));
    if (method === undefined) {
      const resolve = this.asked.get(id as number);
      this.asked.delete(id as number);
      resolve?.(isObject(message["result"]) ? message["result"] : undefined);
      return;
    }
    if (id === undefined || id === null) return this.notified(method, isObject(params) ? params : {});
    if (params !== undefined && !isObject(params)) return this.refuse(id, { code: -32602, message: "params must be an object" });
    this.requested(id, method, params ?? {});
  }

  private notified(method: string, params: Json): void {
    if (method === "session/cancel") this.behaviour.cancel(this.sessions.get(String(params["sessionId"])));
    else this.sendAll(this.behaviour.unknownNotification(method));
  }

  private requested(id: unknown, method: string, params: Json): void {
    const { behaviour } = this;
    switch (method) {
      case "initialize":
        return this.answer(id, behaviour.initializeProblem(params), () => behaviour.initializeResult(params));
      case "authenticate":
        return this.answer(id, behaviour.authenticateProblem(params), () => behaviour.authenticateResult());
      case "session/new":
        return this.answer(id, behaviour.cwdProblem(params["cwd"]) ?? behaviour.mcpServersProblem(params["mcpServers"]), () => this.newSession(params));
      case "session/load":
        return this.onSession(id, method, params, (session) =>
          this.answer(id, behaviour.cwdProblem(params["cwd"]) ?? behaviour.mcpServersProblem(params["mcpServers"]), () =>
            behaviour.loadSessionResult(session, behaviour.modes(session.modeId)),
          ),
        );
      case "session/prompt":
        return this.onSession(id, method, params, (session) => this.prompt(id, session, params));
      case "session/set_mode":
        return this.onSession(id, method, params, (session) =>
          this.answer(id, behaviour.setModeProblem(params), () => {
            session.modeId = String(params["modeId"]);
            for (const update of behaviour.modeUpdates(session.modeId)) this.update(session.id, update);
            return behaviour.setModeResult();
          }),
        );
      default:
        return this.answer(id, behaviour.unknownRequest(method), () => null);
    }
  }

  private newSession({ cwd }: Json): unknown {
    const id = this.behaviour.sessionId(this.sessions.size + 1);
    const session: AgentSession = { id, cwd: String(cwd), modeId: "full", turn: undefined, history: [] };
    this.sessions.set(id, session);
    return this.behaviour.newSessionResult(session, this.behaviour.modes(session.modeId));
  }

  private onSession(id: unknown, method: string, params: Json, action: (session: AgentSession) => void): void {
    const session = this.sessions.get(String(params["sessionId"]));
    if (typeof params["sessionId"] !== "string") return this.refuse(id, { code: -32602, message: "sessionId is required" });
    if (session !== undefined) return action(session);
    this.answer(id, this.behaviour.unknownSession(method), () => (method === "session/prompt" ? { stopReason: "end_turn" } : {}));
  }

  private prompt(id: unknown, session: AgentSession, params: Json): void {
    const { behaviour } = this;
    const problem = behaviour.promptProblem(params) ?? (session.turn === undefined ? undefined : behaviour.busy());
    if (problem !== undefined) return this.refuse(id, problem);
    const abort = new AbortController();
    session.turn = abort;
    const turn: Turn = {
      blocks: Array.isArray(params["prompt"]) ? (params["prompt"] as Json[]) : [],
      signal: abort.signal,
      update: (update) => this.update(session.id, update),
      ask: (toolCall) => this.ask(session.id, toolCall, abort.signal),
      allows: (outcome) => behaviour.allows(outcome),
    };
    void takeTurn(turn).then((end) => {
      session.turn = undefined;
      if (typeof end !== "string") return this.refuse(id, end);
      this.reply(id, behaviour.promptResult(behaviour.stopReason(abort.signal.aborted ? "cancelled" : end)));
    });
  }

  private ask(sessionId: string, toolCall: Json, signal: AbortSignal): Promise<Json | undefined> {
    const id = this.nextId++;
    const params = { sessionId, toolCall: this.behaviour.permissionToolCall(toolCall), options: this.behaviour.permissionOptions() };
    return new Promise((resolve) => {
      this.asked.set(id, (result) => resolve(isObject(result?.["outcome"]) ? result["outcome"] : undefined));
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
      this.send({ jsonrpc: "2.0", id, method: "session/request_permission", params });
    });
  }

  private update(sessionId: string, update: Json): void {
    for (const one of this.behaviour.updates(update)) this.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: one } });
  }

  private answer(id: unknown, problem: Refusal | undefined, result: () => unknown): void {
    if (problem !== undefined) this.refuse(id, problem);
    else this.reply(id, result());
  }

  private reply(id: unknown, result: unknown): void {
    this.send({ jsonrpc: "2.0", id, result });
  }

  private refuse(id: unknown, error: Refusal): void {
    this.send({ jsonrpc: "2.0", id, error });
  }

  private sendAll(messages: readonly Json[]): void {
    for (const message of messages) this.send(message);
  }

  private send(message: Json): void {
    const framing = this.behaviour.framing(this.first ?? "line", this.latest);
    for (const one of this.behaviour.outgoing(message)) this.pipe.write(this.behaviour.encode(one, framing));
  }
}
