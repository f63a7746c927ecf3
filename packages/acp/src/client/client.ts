import {
  acp,
  type Acp,
  type AcpParams,
  type AcpProfile,
  type AcpResult,
  type ClientCapabilities,
  protocolVersion,
} from "@editwire/acp-schema";
import { type Connection, type Handlers, isObject, methodOf, WireError } from "@editwire/core";
import { jsonRpcPeer } from "@editwire/peer";
import {
  type AskOptions,
  checkPermission,
  checkBinding,
  checkObject,
  claimTransport,
  definedAsk,
  clientSide,
  type InitializedProtocol,
  InitializeWatch,
  permissionHandler,
  shown,
  type SplitOptions,
  splitOptions,
  checkArray,
  updateListener,
} from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { ClientLink } from "./link.js";
import { answerOf } from "../shared/confirmation.js";
import { cancelRequest } from "../shared/cancel-request.js";
import { type Demands, demandsOn, guarded } from "../shared/capabilities.js";
import type { AcpClient, AcpClientOptions, AcpNewSessionOptions } from "./api.js";
import type { AcpSession } from "./session-api.js";
import { clientCapabilitiesOf, serviceHandlers } from "./services.js";
import { mcpServerOf } from "../mcp/server-forms.js";
import { ClientSessions, sessionsOf } from "./sessions.js";
import { AcpDialect } from "../shared/dialect.js";
import { signInKind } from "../shared/sign-in.js";
import { connectVersions } from "../v2/client-versions.js";
import { checkVersions, unspokenVersion } from "../v2/versions.js";

/**
 * Connects to an agent and initializes it. Throws `WireError` (`closed`, `timeout`, or `invalid_result`, also for
 * another protocol version, for an ECA server, and for a program that sends back what it receives) or the agent's
 * `RemoteError`, and closes the transport then. Throws a `TypeError` for wrong options. Until the agent has answered,
 * `onError` is called with `WireError("not_connected")` for the first text that is not a message, and after 5 seconds
 * without an answer.
 */
export async function connectAcp(transport: Transport, options: AcpClientOptions = {}): Promise<AcpClient> {
  return connectIn("connectAcp", transport, options, new AcpDialect("client"));
}

/** As `connectAcp`, for the way in `name`. `dialect` is not asked when the options name a profile. */
export async function connectIn(
  name: string,
  transport: Transport,
  options: AcpClientOptions,
  dialect: AcpDialect,
): Promise<AcpClient> {
  checkClientOptions(name, options);
  const split = splitOptions(name, "acpProfiles", options);
  const declared = clientCapabilitiesOf(name, options);
  claimTransport(name, transport);
  const cancel = cancelRequest(() => (options.profile ?? dialect.found).traits);
  const peer = jsonRpcPeer(transport, { ...split.peer, cancel, noise: "report" });
  const watch = new InitializeWatch(peer, initialized, transport, split);
  const profile = options.profile ?? dialect.reportingTo(split.onDiagnostic);
  const services = serviceHandlers(
    options,
    declared,
    {
      rootsOf: (sessionId) => sessions.get(sessionId)?.roots ?? [],
      turnOf: (sessionId) => sessions.get(sessionId)?.turn,
    },
    split.onError,
  );
  const { protocol = acp, handlers: more, serve } = options.extension ?? {};
  const handlers: Handlers<Acp, "client"> = {
    ...services,
    ...more,
    ...serve?.(() => connection),
    "session/update": (params, { length }) => sessions.receive(params, length),
    "session/request_permission": (request, { signal }) => sessions.decide(request, signal),
  };
  const connecting = { ...split.connect, profile, fallback: options.fallback };
  const ends = connectVersions(watch.peer, options, { protocol, handlers, connect: connecting });
  const unguarded = ends.connection;
  let info: AcpResult<"initialize"> | undefined;
  const demands = demandsOn("agent", () => info?.agentCapabilities, options.ignoreCapabilities);
  const connection = guarded(unguarded, demands, protocol);
  const link = linkOf(options, split, unguarded, demands, (session) => {
    sessions.delete(session);
    options.terminals?.end?.(session.id);
  });
  const sessions = new ClientSessions(link);
  void connection.closed.then(() => options.terminals?.end?.());
  try {
    info = await initialize(options, declared, link);
    const spoken = ends.profile() ?? options.profile;
    return clientOf(info, () => spoken ?? dialect.found, connection, link, sessions);
  } catch (error) {
    await connection.close();
    throw watch.explain(error);
  }
}

const initialized: InitializedProtocol = {
  name: "ACP",
  expects: "one JSON-RPC message in each line",
  flags: ["--acp", "acp"],
  other: {
    name: "ECA",
    fields: ["models", "chatDefaultModel", "chatBehaviors", "chatDefaultBehavior", "chatWelcomeMessage"],
    params: ["params.workspaceFolders"],
    use: "spawnEca or connectEca of @editwire/eca",
  },
};

async function initialize(
  { clientInfo, versions = [protocolVersion], _meta, signal }: AcpClientOptions,
  clientCapabilities: ClientCapabilities | undefined,
  link: ClientLink,
): Promise<AcpResult<"initialize">> {
  const result = await link.ask("initialize", { protocolVersion, clientInfo, clientCapabilities }, { _meta, signal });
  if (versions.some((version) => version === result.protocolVersion)) return result;
  throw unspokenVersion(String(result.protocolVersion), versions);
}

function clientOf(
  info: AcpResult<"initialize">,
  profile: () => AcpProfile,
  connection: Connection<Acp, "client">,
  link: ClientLink,
  sessions: ClientSessions,
): AcpClient {
  const own: Connection<Acp, "client"> = {
    ...connection,
    async notify(method, params) {
      const isSent = method === "session/cancel" && (await sessions.cancel(params.sessionId));
      if (!isSent) await connection.notify(method, params);
    },
  };
  sessionsOf.set(own, sessions);
  return {
    ...clientSide(own, () => sessions.cancelToClose()),
    info,
    protocolVersion: info.protocolVersion,
    get profile() {
      return profile();
    },
    async newSession(options) {
      const { signal, timeoutMs, ...params } = sessionParams("newSession", options);
      checkSetup("session/new", params, link.demands);
      return sessions.open(params, { signal, timeoutMs });
    },
    async loadSession(options) {
      const { signal, timeoutMs, ...params } = sessionParams("loadSession", options);
      checkSetup("session/load", params, link.demands);
      return sessions.load({ ...params, sessionId: options.sessionId }, { signal, timeoutMs });
    },
    async resumeSession(options) {
      const { signal, timeoutMs, ...params } = sessionParams("resumeSession", options);
      checkSetup("session/resume", params, link.demands);
      return sessions.resume({ ...params, sessionId: options.sessionId }, { signal, timeoutMs });
    },
    async listSessions(options = {}) {
      checkObject("listSessions", "options", options);
      const { cwd, cursor, ...ask } = options;
      return link.ask("session/list", listParams(cwd, cursor), ask);
    },
    async deleteSession(sessionId, options = {}) {
      return answerOf(await link.ask("session/delete", { sessionId }, options));
    },
    async authenticate(methodId, options = {}) {
      const method = info.authMethods?.find(({ id }) => id === methodId);
      if (method !== undefined && signInKind(method) === "terminal") {
        const message = `authenticate: ${methodId}: the user signs in at a terminal, with the agent's own program`;
        throw new WireError("invalid_params", message);
      }
      return answerOf(await link.ask("authenticate", { methodId }, options));
    },
    async logout(options = {}) {
      return answerOf(await link.ask("logout", {}, options));
    },
  };
}

/** Throws a `TypeError` for wrong options. `name` is the function that got them. */
export function checkClientOptions(name: string, options: AcpClientOptions): void {
  checkBinding(name, "acpProfiles", options);
  checkPermission(name, options.permission);
  checkVersions(name, options.versions);
}

function sessionParams(name: string, options: AcpNewSessionOptions): AcpParams<"session/new"> & AskOptions {
  checkObject(name, "options", options);
  if (typeof options.cwd !== "string")
    throw new TypeError(`${name}: expected cwd to be an absolute path, received ${shown(options.cwd)}`);
  const { mcpServers = [], additionalDirectories, _meta, ...others } = options;
  checkArray(name, "mcpServers", mcpServers);
  return {
    ...others,
    mcpServers: mcpServers.map(mcpServerOf),
    ...(additionalDirectories === undefined ? {} : { additionalDirectories: [...additionalDirectories] }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** Throws `WireError("invalid_params")` for what the agent did not declare. */
function checkSetup(
  method: string,
  { mcpServers, additionalDirectories = [] }: Pick<AcpParams<"session/new">, "mcpServers" | "additionalDirectories">,
  demands: Demands,
): void {
  for (const { type } of mcpServers.filter(isObject))
    if (type !== undefined && type !== "stdio") demands.check(method, `mcpCapabilities.${type}`);
  if (additionalDirectories.length > 0) demands.check(method, "sessionCapabilities.additionalDirectories");
}

function listParams(cwd: string | undefined, cursor: string | undefined): AcpParams<"session/list"> {
  return { ...(cwd === undefined ? {} : { cwd }), ...(cursor === undefined ? {} : { cursor }) };
}

function linkOf(
  options: AcpClientOptions,
  { timeoutMs, onDiagnostic, onError }: SplitOptions,
  { request, notify }: Connection<Acp, "client">,
  demands: Demands,
  forget: (session: AcpSession) => void,
): ClientLink {
  const { permission, onUpdate, cancelGraceMs = 10_000, extension } = options;
  const protocol = extension?.protocol ?? acp;
  return {
    methods: protocol.methods,
    request,
    notify,
    permission: permissionHandler(permission),
    onDiagnostic,
    onError,
    cancelGraceMs,
    demands,
    onUpdate: updateListener(onUpdate, onError, "session/update"),
    async ask(method, params, ask) {
      demands.check(method, methodOf(protocol, method)?.capability);
      const { _meta } = ask;
      const sent = _meta === undefined ? params : { ...params, _meta };
      return request(method, sent, { timeoutMs, ...definedAsk(ask), settle: "now" });
    },
    async closeSession(session, ask) {
      const closes = demands.declares("sessionCapabilities.close");
      const answer = closes ? await this.ask("session/close", { sessionId: session.id }, ask) : {};
      forget(session);
      return answerOf(answer);
    },
  };
}
