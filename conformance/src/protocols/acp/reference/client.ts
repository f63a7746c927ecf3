import { isObject } from "@editwire/core";
import { CallingClient, type OpenCall, Refused } from "../../../packs/calling-client.js";
import { type Control, UnsupportedAction } from "../../../wire/link.js";
import type { Serve } from "../../../wire/memory.js";
import type { PipeEnd } from "../../../wire/pipe.js";
import type { Framing, Json, Refusal } from "./agent-behavior.js";
import { type ClientBehavior, type Policy, rightClient } from "./client-behavior.js";
import { fits } from "../../../core/talk/judge.js";
import { methodsFrom } from "../samples.js";
import { table } from "../table.js";
import { ClientSession } from "./client-session.js";
import { ReferenceServices } from "./client-services.js";

/** The reference client, with some of its switches replaced: every call is one connection. */
export function referenceClient(patch: Partial<ClientBehavior> = {}): Serve {
  const behavior = { ...rightClient, ...patch };
  return (pipe, framing) => new ReferenceClient(pipe, behavior, framing ?? "line").start();
}

/** A result that nothing is wrong with. */
function usable(problemOf: (result: Json) => string | undefined, result: Json): Json {
  const problem = problemOf(result);
  if (problem !== undefined) throw new Error(problem);
  return result;
}

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

class ReferenceClient extends CallingClient<ClientBehavior> {
  readonly #sessions = new Map<string, ClientSession>();
  readonly #services: ReferenceServices;
  #capabilities: Json = {};
  #authMethods: readonly Json[] = [];
  /** The user's answer to the next form. */
  #elicitation: Json = { action: "cancel" };
  #policy: Policy = "reject";

  constructor(pipe: PipeEnd, behavior: ClientBehavior, framing: Framing) {
    super(pipe, behavior, framing);
    this.#services = new ReferenceServices(behavior);
  }

  start(): Control {
    const behavior = this.behavior;
    this.listen(behavior.reader(this.framing), () => void (behavior.badBytes() === "die" && this.die()));
    const sendAll = (requests: readonly { method: string; params: unknown }[]): void => {
      for (const { method, params } of requests) this.call(method, params).catch(() => {});
    };
    sendAll(behavior.beforeInitialize());
    const ready = this.call("initialize", behavior.initializeParams()).then((result) => {
      this.#capabilities = objectOf(usable(behavior.initializeProblem, result)["agentCapabilities"]);
      const { authMethods } = result;
      this.#authMethods = Array.isArray(authMethods) ? authMethods.filter(isObject) : [];
      sendAll(behavior.afterInitialize());
    });
    sendAll(behavior.behindInitialize());
    ready.catch(() => {});
    return {
      do: async (action, args = {}) => {
        await ready;
        return this.#act(action, args);
      },
    };
  }

  async #act(action: string, args: Json): Promise<unknown> {
    const behavior = this.behavior;
    const sessionId = String(args["sessionId"]);
    switch (action) {
      case "new-session": {
        const result = await this.call("session/new", behavior.sessionParams(args["cwd"]));
        return this.#open(behavior.sessionIdOf(result), args["cwd"], result);
      }
      case "load-session":
        if (!behavior.mayLoad(this.#capabilities)) throw new Error("the agent cannot load sessions");
        return this.#open(
          sessionId,
          args["cwd"],
          this.call("session/load", { sessionId, ...behavior.sessionParams(args["cwd"]) }),
        );
      case "prompt":
        return this.#prompt(await this.#promptedSession(sessionId), args["prompt"]);
      case "cancel":
        return this.#cancel(this.#session(sessionId));
      case "permission":
        this.#policy = args["policy"] as Policy;
        return {};
      case "set-mode": {
        const problem = behavior.modeProblem(this.#session(sessionId).modes, args["modeId"]);
        if (problem !== undefined) throw new Error(problem);
        return this.call("session/set_mode", behavior.setModeParams(sessionId, args["modeId"]));
      }
      case "leave":
        this.pipe.end();
        return {};
      case "elicitation":
        this.#elicitation = args;
        return {};
      case "authenticate": {
        const problem = behavior.signInProblem(args["methodId"], this.#authMethods);
        if (problem !== undefined) throw new Error(problem);
        return usable(
          behavior.authenticateProblem,
          await this.call("authenticate", behavior.authenticateParams(args["methodId"])),
        );
      }
      case "report":
        return this.#session(sessionId).report();
      default:
        if (!methodsFrom("client", "request").includes(action))
          throw new UnsupportedAction(`there is no action "${action}"`);
        if (!behavior.mayCall(action, this.#capabilities)) throw new Error(`the agent does not offer ${action}`);
        return this.call(action, args);
    }
  }

  /** The earlier messages of a loaded session are shown as they arrive, before the answer. */
  async #open(sessionId: string, cwd: unknown, answer: Json | Promise<Json>): Promise<Json> {
    const session = new ClientSession(sessionId, cwd, this.behavior);
    this.#sessions.set(sessionId, session);
    session.opened(usable(this.behavior.sessionProblem, await answer));
    return { sessionId };
  }

  /** The session that a prompt goes to. */
  async #promptedSession(id: string): Promise<ClientSession> {
    const session = this.#session(id);
    if (!this.behavior.promptsAnew) return session;
    const result = await this.call("session/new", this.behavior.sessionParams(session.cwd));
    return new ClientSession(this.behavior.sessionIdOf(result), session.cwd, this.behavior);
  }

  #session(id: string): ClientSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new Error(`unknown session ${id}`);
    return session;
  }

  async #prompt(session: ClientSession, prompt: unknown): Promise<Json> {
    const behavior = this.behavior;
    const others = [...this.#sessions.values()].some((one) => one !== session && one.turn !== "none");
    const refused =
      (session.turn !== "none" && behavior.whileBusy(true) === "refuse") ||
      (others && behavior.whileBusy(false) === "refuse");
    if (refused) throw new Error("a turn runs");
    while (session.turn !== "none" && behavior.whileBusy(true) === "queue") await session.over;
    const blocks = Array.isArray(prompt) ? (prompt as Json[]) : [];
    if (!blocks.every((block) => behavior.mayPrompt(block, this.#capabilities)))
      throw new Error("the agent does not take such content");
    session.begin();
    try {
      const result = await this.call("session/prompt", behavior.promptParams(session.id, prompt));
      if (behavior.ends(result)) session.end();
      return { ...result, stopReason: behavior.told(result["stopReason"]) };
    } catch (error) {
      const body = error instanceof Refused ? error.body : {};
      if (this.behavior.atError("session/prompt", body, session.turn === "cancelled") === "die") this.die();
      if (behavior.ends({ error: body })) session.end();
      throw error;
    }
  }

  #cancel(session: ClientSession): Json {
    for (const message of this.behavior.cancelMessages(session.id, this.nextId)) this.send(message);
    if (session.turn === "running") session.turn = "cancelled";
    for (const { held } of this.behavior.answersAtCancel(session, [...this.#sessions.values()]))
      for (const { id, params } of held.splice(0)) this.#reply(id, this.behavior.permissionAtCancel(params));
    return {};
  }

  protected notified(method: string, params: Json): void {
    if (method === "session/update") return this.#updated(params);
    const replies = this.behavior.unknownNotification(method);
    if (replies === "die") return this.die();
    for (const reply of replies) this.send(reply);
  }

  protected override refused(call: OpenCall, body: Json): void {
    if (call.method !== "session/prompt" && this.behavior.atError(call.method, body, false) === "die") this.die();
    super.refused(call, body);
  }

  protected requested(id: unknown, method: string, params: Json): void {
    const behavior = this.behavior;
    const policy = this.#policy;
    if (behavior.serves(method)) return void this.#serve(id, method, params);
    if (method !== "session/request_permission") return this.#refuse(id, behavior.unknownRequest(method));
    const problem = behavior.permissionProblem(params);
    if (problem !== undefined) return this.#refuse(id, problem);
    const session = this.#sessions.get(String(params["sessionId"]));
    if (session === undefined) return this.#reply(id, behavior.permissionOfUnknown(params));
    const late = session.turn === "cancelled" ? behavior.permissionAfterCancel(params) : undefined;
    if (late !== undefined) return this.#reply(id, late);
    if (policy === "hold") session.held.push({ id, params });
    else this.#reply(id, behavior.permissionResult(behavior.choose(policy, optionsOf(params["options"]))));
  }

  async #serve(id: unknown, method: string, params: Json): Promise<void> {
    const root = this.#sessions.get(String(params["sessionId"]))?.cwd;
    if (!fits(table, method, "params", params) || root === undefined)
      return this.#refuse(id, { code: -32602, message: `invalid params of ${method}` });
    const served = await this.#services.serve(method, params, root, this.#elicitation);
    if ("error" in served) this.#refuse(id, served.error);
    else this.#reply(id, this.behavior.result(method, served.result));
  }

  #updated({ sessionId, update }: Json): void {
    const session = this.#sessions.get(this.behavior.shownIn(String(sessionId), [...this.#sessions.keys()]));
    const taking = this.behavior.update(update, session?.when ?? "unknown");
    if (taking === "die") return this.die();
    if (isObject(update) && taking === "survive") session?.take(update);
  }

  #reply(id: unknown, result: unknown): void {
    if (result !== undefined) this.send({ jsonrpc: "2.0", id, result });
  }

  #refuse(id: unknown, error: Refusal | undefined): void {
    if (error !== undefined) this.send({ jsonrpc: "2.0", id, error });
  }

  protected override lost(): void {
    this.#services.end();
    super.lost();
  }
}

/** The options that can be chosen: an answer names one by the text of its id. */
function optionsOf(offered: unknown): Json[] {
  return Array.isArray(offered) ? offered.filter((one) => isObject(one) && typeof one["optionId"] === "string") : [];
}
