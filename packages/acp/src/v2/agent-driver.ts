import {
  type Acp,
  AcpErrorCode,
  type AcpParams,
  type AcpResult,
  type ContentBlock,
  type McpServer,
  type PermissionOption,
} from "@editwire/acp-schema";
import { type AcpV2, type AcpV2Params, type AcpV2Result, acpV2Profile } from "@editwire/acp-schema/v2";
import {
  type CallOptions,
  connect,
  type Connection,
  type ConnectOptions,
  type HandlerContext,
  type Handlers,
  isRemoteError,
  type Peer,
  RemoteError,
} from "@editwire/core";
import { onAbort } from "@editwire/core/aborts";
import { LatestMap } from "@editwire/session";
import { configOptionsOf, initializeParams, initializeResult, modeOption } from "./agent-forms.js";
import { ServedSession } from "./agent-session.js";
import { toolCallOf } from "./agent-updates.js";
import { absentIn2, extendedV2, isOwn } from "./extended.js";

/** Sessions whose work is followed; the oldest are forgotten first. */
const maxSessions = 10_000;

/** The methods that every agent of version 2 has, whatever its capabilities. */
export type BaselineHandlers = {
  readonly [M in "session/list" | "session/load" | "session/resume" | "session/close" | "logout"]: NonNullable<
    Handlers<Acp, "agent">[M]
  >;
};

/** The parts of an agent that a driver uses. */
export interface AgentDriverOptions {
  /** The protocol of version 1, with the methods of an extension. */
  readonly protocol: Acp;
  readonly handlers: Handlers<Acp, "agent">;
  readonly baseline: BaselineHandlers;
  readonly connect: ConnectOptions;
}

/**
 * The connection of an agent to a client of version 2, as a connection of version 1: its handlers get the messages of
 * version 1. A prompt is answered when its message is inserted; the result of its handler becomes the idle state.
 */
export class AgentDriver {
  readonly connection: Connection<Acp, "agent">;
  readonly #client: Connection<AcpV2, "agent">;
  readonly #options: AgentDriverOptions;
  readonly #sessions = new LatestMap<string, ServedSession>(maxSessions);
  /** Answers the prompts that are not inserted yet. */
  readonly #waiting = new Map<readonly ContentBlock[], (messageId: string) => void>();
  /** True after any request but `initialize`. */
  #isUsed = false;

  constructor(peer: Peer, options: AgentDriverOptions) {
    this.#options = options;
    this.#client = connect(extendedV2(options.protocol), "agent", peer, this.#handlers(), {
      ...options.connect,
      profile: acpV2Profile,
    });
    this.connection = this.#asV1(this.#client);
  }

  /** The message of a prompt is in the conversation of its session. */
  insert(sessionId: string, prompt: readonly ContentBlock[], messageId: string): void {
    const answer = this.#waiting.get(prompt);
    if (answer === undefined) return; // it belongs to another client
    this.#waiting.delete(prompt);
    this.#session(sessionId).insert(prompt, messageId);
    answer(messageId);
  }

  #handlers(): Handlers<AcpV2, "agent"> {
    const { handlers, baseline } = this.#options;
    const own = Object.entries(handlers).filter(([method]) => isOwn(method));
    const deletes = handlers["session/delete"];
    return {
      ...(Object.fromEntries(own) as object),
      initialize: async (params, context) => {
        if (this.#isUsed) throw RemoteError.invalidRequest("initialize: it comes first, and once");
        return initializeResult(await handlers.initialize(initializeParams(params), context));
      },
      "auth/login": (params, context) => handlers.authenticate(params, context),
      "auth/logout": (params, context) => baseline.logout(params, context),
      "session/new": async (params, context) => {
        this.#isUsed = true;
        const { sessionId, ...result } = await handlers["session/new"](setup(params), context);
        return { sessionId, ...this.#opened(sessionId, result) };
      },
      "session/list": (params, context) => baseline["session/list"](params, context),
      "session/resume": (params, context) => this.#resume(params, context),
      "session/close": (params, context) => unlessUnknown(() => baseline["session/close"](params, context)),
      "session/delete": deletes && ((params, context) => deletes(params, context)),
      "session/prompt": (params, context) => this.#prompt(params, context),
      "session/cancel": (params, context) => handlers["session/cancel"]?.(params, context),
      "session/set_config_option": (params, context) => this.#setOption(params, context),
      "tool_call/cancel": ({ toolCallId }) => {
        throw RemoteError.invalidParams("tool_call/cancel: this tool call cannot be cancelled", { toolCallId });
      },
      "terminal/cancel": ({ terminalId }) => {
        throw RemoteError.invalidParams("terminal/cancel: this terminal cannot be cancelled", { terminalId });
      },
    };
  }

  async #resume(
    { replayFrom, ...params }: AcpV2Params<"session/resume">,
    context: HandlerContext,
  ): Promise<AcpV2Result<"session/resume">> {
    this.#isUsed = true;
    const { baseline } = this.#options;
    if (replayFrom !== undefined && replayFrom.type !== "start")
      throw RemoteError.invalidParams(`session/resume: replayFrom: expected the type "start"`, { replayFrom });
    const asked = { ...setup(params), sessionId: params.sessionId };
    const open = baseline[replayFrom === undefined ? "session/resume" : "session/load"];
    const result = await open(asked, context);
    const session = this.#session(params.sessionId);
    session.writer.endMessage();
    await session.repeat();
    return this.#opened(params.sessionId, result);
  }

  #opened(sessionId: string, { modes, configOptions, ...result }: AcpResult<"session/load">) {
    const { settings } = this.#session(sessionId).writer;
    Object.assign(settings, { modes, configOptions });
    const options = configOptionsOf(settings);
    return { ...result, ...(options.length === 0 ? {} : { configOptions: options }) };
  }

  /** Answers a prompt when it is inserted. Its handler runs on, and ends the work. */
  #prompt(params: AcpV2Params<"session/prompt">, context: HandlerContext): Promise<AcpV2Result<"session/prompt">> {
    this.#isUsed = true;
    const { sessionId } = params;
    const prompt = params.prompt as ContentBlock[];
    const asked = new AbortController();
    let isInserted = false;
    const stop = onAbort(context.signal, () => asked.abort(context.signal.reason));
    void this.#client.closed.then((reason) => asked.abort(reason));
    return new Promise((resolve, reject) => {
      this.#waiting.set(prompt, (messageId) => {
        isInserted = true;
        stop();
        resolve({ messageId });
      });
      const ended = (end: (session: ServedSession) => void, refuse: () => void): void => {
        stop();
        this.#waiting.delete(prompt);
        if (isInserted) end(this.#session(sessionId));
        else refuse();
      };
      this.#run({ ...params, prompt }, asked.signal, context).then(
        (result) =>
          ended(
            (session) => session.end(result),
            () => reject(new RemoteError(AcpErrorCode.RequestCancelled, "request cancelled")),
          ),
        (error: unknown) =>
          ended(
            (session) => {
              if (!isRemoteError(error)) this.#options.connect.onError?.(error, "session/prompt");
              session.fail(error);
            },
            () => reject(error as Error),
          ),
      );
    });
  }

  /** Runs the handler of a prompt, whose turn goes on when its request is answered: `signal` is that of the turn. */
  async #run(
    params: AcpParams<"session/prompt">,
    signal: AbortSignal,
    { id, length }: HandlerContext,
  ): Promise<AcpResult<"session/prompt">> {
    const context = { signal, id, length, afterReply: (action: () => void) => action() };
    return this.#options.handlers["session/prompt"](params, context);
  }

  /** Changes a setting, or the mode where the session has modes. The answer has all settings. */
  async #setOption(
    params: AcpV2Params<"session/set_config_option">,
    context: HandlerContext,
  ): Promise<AcpV2Result<"session/set_config_option">> {
    const { handlers } = this.#options;
    const { type, sessionId, configId, value, ...rest } = params;
    const { settings } = this.#session(sessionId).writer;
    const isKnown = settings.configOptions?.some(({ id }) => id === configId) === true;
    if (!isKnown && configId === modeOption && settings.modes !== undefined) {
      if (type !== "id" || typeof value !== "string") throw wrongValue(type);
      const answer = await handlers["session/set_mode"]({ ...rest, sessionId, modeId: value }, context);
      return { ...answer, configOptions: configOptionsOf(settings) };
    }
    if (type !== "id" && type !== "boolean") throw wrongValue(type);
    const target = { ...rest, sessionId, configId };
    const asked = type === "boolean" ? { ...target, type, value: value === true } : { ...target, value: String(value) };
    const set = handlers["session/set_config_option"];
    if (set === undefined) throw RemoteError.methodNotFound("session/set_config_option");
    const { configOptions, ...answer } = await set(asked, context);
    settings.configOptions = configOptions;
    return { ...answer, configOptions: configOptionsOf(settings) };
  }

  #asV1(client: Connection<AcpV2, "agent">): Connection<Acp, "agent"> {
    return {
      request: (async (method: string, params: unknown, options?: CallOptions) => {
        if (method === "session/request_permission")
          return this.#askPermission(params as AcpParams<"session/request_permission">, options);
        if (method === "elicitation/create") return this.#elicit(params as AcpV2Params<"elicitation/create">, options);
        if (isOwn(method)) return client.request(method as "elicitation/create", params as never, options);
        throw absentIn2(method, "client");
      }) as Connection<Acp, "agent">["request"],
      notify: ((method: string, params: unknown) => {
        if (method !== "session/update") return client.notify(method as "elicitation/complete", params as never);
        const { sessionId, update } = params as AcpParams<"session/update">;
        return this.#session(sessionId).update(update);
      }) as Connection<Acp, "agent">["notify"],
      close: () => client.close(),
      closed: client.closed,
    };
  }

  async #askPermission(
    { sessionId, toolCall, options, ...rest }: AcpParams<"session/request_permission">,
    call: CallOptions | undefined,
  ): Promise<AcpResult<"session/request_permission">> {
    const session = this.#session(sessionId);
    const { toolCallId, title = session.writer.titleOf(toolCallId) ?? toolCallId } = toolCall;
    const subject = { type: "tool_call" as const, toolCall: toolCallOf(toolCall) };
    const asked = { ...rest, sessionId, title, subject, options: options as PermissionOption[] };
    const answer = await session.ask(() => this.#client.request("session/request_permission", asked, call));
    const { outcome } = answer;
    // An outcome that this version does not know is no approval.
    return outcome.outcome === "selected"
      ? (answer as AcpResult<"session/request_permission">)
      : { ...answer, outcome: { outcome: "cancelled" } };
  }

  #elicit(
    question: AcpV2Params<"elicitation/create">,
    call: CallOptions | undefined,
  ): Promise<AcpV2Result<"elicitation/create">> {
    const ask = () => this.#client.request("elicitation/create", question, call);
    const { sessionId } = question as { sessionId?: string };
    return sessionId === undefined ? ask() : this.#session(sessionId).ask(ask);
  }

  #session(sessionId: string): ServedSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const session = new ServedSession((update) => this.#client.notify("session/update", { sessionId, update }));
    this.#sessions.set(sessionId, session);
    return session;
  }
}

/** The params that open a session, as version 1 has them. */
function setup<Params extends { mcpServers?: unknown }>(params: Params): Params & { mcpServers: McpServer[] } {
  const servers = (params.mcpServers ?? []) as McpServer[];
  const whole = servers.map((server) =>
    server.type === "stdio"
      ? { ...server, args: server.args ?? [], env: server.env ?? [] }
      : { ...server, headers: server.headers ?? [] },
  );
  return { ...params, mcpServers: whole as McpServer[] };
}

function wrongValue(type: string): RemoteError {
  return RemoteError.invalidParams("session/set_config_option: the setting has no values of this type", { type });
}

/** To close a session that is not open succeeds. */
async function unlessUnknown<Answer extends object>(
  close: () => Answer | Promise<Answer>,
): Promise<Answer | Record<string, never>> {
  try {
    return await close();
  } catch (error) {
    if (isRemoteError(error, AcpErrorCode.ResourceNotFound)) return {};
    throw error;
  }
}
