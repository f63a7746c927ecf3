import {
  type Acp,
  AcpErrorCode,
  type AcpParams,
  type AcpResult,
  type PermissionOption,
  type SessionUpdate,
} from "@editwire/acp-schema";
import {
  type AcpV2,
  type AcpV2Params,
  type AcpV2Result,
  acpV2Profile,
  type PermissionSubject,
  type V2McpServer,
  type V2ToolCallUpdate,
} from "@editwire/acp-schema/v2";
import {
  type CallOptions,
  connect,
  type Connection,
  type ConnectOptions,
  type HandlerContext,
  type Handlers,
  isRemoteError,
  type Peer,
  WireError,
} from "@editwire/core";
import { LatestMap } from "@editwire/session";
import { configOptionOf, configValue, initializeParams, initializeResult, openedSession } from "./client-forms.js";
import { DrivenSession } from "./client-session.js";
import { toolCallOf } from "./client-tools.js";
import { absentIn2, extendedV2, isOwn } from "./extended.js";

/** Sessions whose work is followed; the oldest are forgotten first. */
const maxSessions = 10_000;

/** The parts of a client that a driver uses. */
export interface ClientDriverOptions {
  /** The protocol of version 1, with the methods of an extension. */
  readonly protocol: Acp;
  readonly handlers: Handlers<Acp, "client">;
  readonly connect: ConnectOptions;
  /** Sends what the agent did not declare to take. */
  readonly ignoreCapabilities: boolean | undefined;
  /** The services of this client that agents of version 2 do not use. */
  readonly unused: readonly string[];
}

type Ask = (params: never, options: CallOptions | undefined) => Promise<unknown>;

/**
 * The connection of a client to an agent of version 2, as a connection of version 1: its messages are read into those
 * of version 1, and the other way round. A turn's `session/prompt` is answered when the turn ends.
 */
export class ClientDriver {
  readonly connection: Connection<Acp, "client">;
  readonly #agent: Connection<AcpV2, "client">;
  readonly #handlers: Handlers<Acp, "client">;
  readonly #onDiagnostic: NonNullable<ConnectOptions["onDiagnostic"]>;
  readonly #sessions = new LatestMap<string, DrivenSession>(maxSessions);
  /** Whether the agent takes MCP servers on stdio. */
  #startsMcpServers = false;
  readonly #ignoreCapabilities: boolean;
  readonly #unused: readonly string[];
  /** The session of the last update. */
  #recent: DrivenSession | undefined;

  constructor(peer: Peer, { protocol, handlers, connect: options, ignoreCapabilities, unused }: ClientDriverOptions) {
    this.#unused = unused;
    this.#ignoreCapabilities = ignoreCapabilities === true;
    this.#handlers = handlers;
    this.#onDiagnostic = options.onDiagnostic ?? (() => {});
    this.#agent = connect(extendedV2(protocol), "client", peer, this.#own(handlers), {
      ...options,
      profile: acpV2Profile,
    });
    void this.#agent.closed.then((reason) => this.#fail(reason));
    this.connection = this.#asV1(this.#agent);
  }

  #asV1(agent: Connection<AcpV2, "client">): Connection<Acp, "client"> {
    const asks = this.#asks(agent);
    return {
      request: (async (method: string, params: unknown, options?: CallOptions) => {
        const ask = Object.hasOwn(asks, method) ? asks[method] : undefined;
        if (ask !== undefined) return ask(params as never, options);
        if (isOwn(method)) return agent.request(method as "session/list", params as never, options);
        throw absentIn2(method, "agent");
      }) as Connection<Acp, "client">["request"],
      notify: ((method: string, params: AcpParams<"session/cancel">) => {
        if (method !== "session/cancel") return agent.notify(method as "session/cancel", params);
        const send = (): void | Promise<void> => agent.notify("session/cancel", params);
        return this.#session(params.sessionId).prompts.cancel(send);
      }) as Connection<Acp, "client">["notify"],
      close: () => agent.close(),
      closed: agent.closed,
    };
  }

  /** The requests of version 1, as version 2 has them. */
  #asks(agent: Connection<AcpV2, "client">): Readonly<Record<string, Ask>> {
    const asks = {
      initialize: async (params: AcpParams<"initialize">, options): Promise<AcpResult<"initialize">> => {
        const result = await agent.request("initialize", initializeParams(params), options);
        this.#reportUnused();
        this.#startsMcpServers = result.capabilities?.session?.mcp?.stdio !== undefined;
        return initializeResult(result);
      },
      authenticate: (params: AcpParams<"authenticate">, options) => agent.request("auth/login", params, options),
      logout: (params: AcpParams<"logout">, options) => agent.request("auth/logout", params, options),
      "session/new": async (params: AcpParams<"session/new">, options) => {
        const result = await agent.request("session/new", this.#setup("session/new", params), options);
        return this.#opened(result.sessionId, result);
      },
      "session/load": async (params: AcpParams<"session/load">, options) => {
        const replayed = { ...this.#setup("session/load", params), replayFrom: { type: "start" as const } };
        const session = this.#session(params.sessionId);
        const result = await session.replay(() => agent.request("session/resume", replayed, options));
        return this.#opened(params.sessionId, result);
      },
      "session/resume": async (params: AcpParams<"session/resume">, options) => {
        const resumed = this.#setup("session/resume", params);
        return this.#opened(params.sessionId, await agent.request("session/resume", resumed, options));
      },
      "session/list": (params: AcpParams<"session/list">, options) => agent.request("session/list", params, options),
      "session/delete": (params: AcpParams<"session/delete">, options) =>
        unlessUnknown(agent.request("session/delete", params, options)),
      "session/close": async (params: AcpParams<"session/close">, options) => {
        const answer = await unlessUnknown(agent.request("session/close", params, options));
        this.#sessions.get(params.sessionId)?.prompts.close();
        this.#sessions.delete(params.sessionId);
        this.#recent = undefined;
        return answer;
      },
      "session/prompt": (params: AcpParams<"session/prompt">, options) => this.#prompt(params, options),
      "session/set_config_option": async (params: AcpParams<"session/set_config_option">, options) => {
        const { configOptions, ...answer } = await agent.request(
          "session/set_config_option",
          configValue(params),
          options,
        );
        return { ...answer, configOptions: configOptions.map(configOptionOf) };
      },
    } satisfies Record<string, Ask>;
    return asks;
  }

  #reportUnused(): void {
    if (this.#unused.length === 0) return;
    const message = `version 2 is spoken, whose agents use no ${this.#unused.join(" and no ")} of the client`;
    this.#onDiagnostic({ id: "unused-services", method: "initialize", message });
  }

  /** Throws `WireError("invalid_params")` for servers that the agent has to start, unless it declares that. */
  #setup<Params extends Pick<AcpParams<"session/resume">, "cwd" | "mcpServers">>(
    method: string,
    params: Params,
  ): Params & { mcpServers: V2McpServer[] } {
    const { mcpServers = [] } = params;
    if (!this.#startsMcpServers && !this.#ignoreCapabilities && mcpServers.some(({ type }) => type === "stdio")) {
      const capability = "session.mcp.stdio";
      const message = `${method}: the agent does not declare the capability ${capability}`;
      throw new WireError("invalid_params", message, { data: { capability } });
    }
    return { ...params, mcpServers: mcpServers as V2McpServer[] };
  }

  #prompt(params: AcpParams<"session/prompt">, options: CallOptions = {}): Promise<AcpResult<"session/prompt">> {
    const { prompts } = this.#session(params.sessionId);
    const { signal: givenUp, ...call } = options;
    return prompts.run(
      {
        send: (onReply, signal) =>
          this.#agent.request("session/prompt", params as AcpV2Params<"session/prompt">, {
            ...call,
            signal,
            abort: "wait",
            onReply,
          }),
        cancel: () => this.#agent.notify("session/cancel", { sessionId: params.sessionId }),
      },
      givenUp,
    );
  }

  /** The answer that opens a session. Its commands are an update in version 1, which a later one has replaced. */
  async #opened<Result extends AcpV2Result<"session/new"> | AcpV2Result<"session/resume">>(
    sessionId: string,
    result: Result,
  ) {
    const { availableCommands } = result;
    const session = this.#session(sessionId);
    if (availableCommands !== undefined && !session.hasCommands) {
      const update = { sessionUpdate: "available_commands_update" as const, availableCommands };
      await this.#deliver(session, session.read(update, 0), { length: 0 });
    }
    return openedSession(result);
  }

  #own(handlers: Handlers<Acp, "client">): Handlers<AcpV2, "client"> {
    const own = Object.entries(handlers).filter(([method]) => isOwn(method));
    return {
      ...(Object.fromEntries(own) as object),
      "session/update": ({ sessionId, update }, context) => {
        if (this.#recent?.id !== sessionId) this.#recent = this.#session(sessionId);
        const session = this.#recent;
        return this.#deliver(session, session.read(update, context.length), context);
      },
      "session/request_permission": (request, context) => this.#decide(request, context),
      "elicitation/create": handlers["elicitation/create"] as Handlers<AcpV2, "client">["elicitation/create"],
      "elicitation/complete": handlers["elicitation/complete"] as Handlers<AcpV2, "client">["elicitation/complete"],
    };
  }

  /** Passes the updates on. A promise comes back when their reader is behind. */
  #deliver(
    { id: sessionId }: DrivenSession,
    updates: readonly SessionUpdate[],
    context: Pick<HandlerContext, "length">,
  ): void | Promise<void> {
    let behind: void | Promise<void> = undefined;
    for (const update of updates) {
      const handled = this.#handlers["session/update"]?.({ sessionId, update }, context as HandlerContext);
      behind = handled ?? behind;
    }
    return behind;
  }

  async #decide(
    request: AcpV2Params<"session/request_permission">,
    context: HandlerContext,
  ): Promise<AcpV2Result<"session/request_permission">> {
    const { sessionId, title, subject } = request;
    const session = this.#session(sessionId);
    const { toolCallId = session.nextQuestion(), ...change } = toolCallIn(subject);
    if (subject?.type === "tool_call") {
      const update = { ...change, toolCallId, sessionUpdate: "tool_call_update" as const };
      await this.#deliver(session, session.read(update, context.length), context);
    }
    const named = session.knowsTool(toolCallId) ? {} : { title }; // the title of a question is not its tool call's
    const toolCall = { ...named, ...toolCallOf({ ...change, toolCallId }) };
    const options = request.options as PermissionOption[]; // a kind of the agent's own is chosen by its id
    const asked = { ...request, toolCall, options } as AcpParams<"session/request_permission">;
    return this.#handlers["session/request_permission"](asked, context);
  }

  #session(sessionId: string): DrivenSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const session = new DrivenSession(sessionId, () => {
      const message = `session ${sessionId}: the turn ended without a state that says that the agent works`;
      this.#onDiagnostic({ id: "no-running", method: "session/update", message });
    });
    this.#sessions.set(sessionId, session);
    return session;
  }

  #fail(reason: Error): void {
    const data = reason instanceof WireError ? reason.data : undefined;
    const error = new WireError("closed", `session/prompt: ${reason.message}`, { cause: reason, data });
    for (const { prompts } of this.#sessions.values()) prompts.fail(error);
  }
}

/** The tool call that a permission is about; `{}` for none. */
function toolCallIn(subject: PermissionSubject | undefined): Partial<V2ToolCallUpdate> {
  if (subject?.type === "tool_call") return subject.toolCall as V2ToolCallUpdate;
  if (subject?.type !== "command") return {};
  const { command, toolCallId } = subject as { command: string; toolCallId?: string };
  return toolCallId === undefined ? { kind: "execute", rawInput: { command } } : { toolCallId };
}

/** To close or delete what is not there succeeds. */
async function unlessUnknown<Answer extends object>(answer: Promise<Answer>): Promise<Answer | Record<string, never>> {
  try {
    return await answer;
  } catch (error) {
    if (isRemoteError(error, AcpErrorCode.ResourceNotFound)) return {};
    throw error;
  }
}
