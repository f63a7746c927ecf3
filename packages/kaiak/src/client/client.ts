import { connect, type Connection, type Handlers } from "@editwire/core";
import { type Configuration, kaiak, type Kaiak, type KaiakResult, unsentIn } from "@editwire/kaiak-schema";
import {
  checkFunction,
  checkBinding,
  claimTransport,
  clientSide,
  DroppedMessages,
  shown,
  splitOptions,
  updateListener,
} from "@editwire/session";
import type { Transport } from "@editwire/transport";
import { KaiakDialect } from "./dialect.js";
import type { KaiakUpdateEvent } from "./events.js";
import { ClientNaming } from "./naming.js";
import { watchSilence } from "./silence.js";
import { type ClientLink, ClientSession } from "./session.js";
import { kaiakPeer } from "../shared/peer.js";
import { now } from "../shared/time.js";
import type { KaiakClient, KaiakClientOptions, KaiakConfigureOptions } from "./api.js";

/**
 * Connects to a server. Throws a `TypeError` for wrong options; with `lspHandshake` also `WireError` (`closed`,
 * `timeout`) or the server's `RemoteError`, and closes the transport then.
 */
export async function connectKaiak(transport: Transport, options: KaiakClientOptions = {}): Promise<KaiakClient> {
  checkClientOptions("connectKaiak", options);
  const split = splitOptions("connectKaiak", "kaiakProfiles", options);
  claimTransport("connectKaiak", transport);
  const { question, onUpdate, cancelGraceMs = 10_000 } = options;
  const { onDiagnostic, onError, timeoutMs } = split;
  const dialect = new KaiakDialect(options.profile, options.strict === true, onDiagnostic);
  const sessions = new Map<string, ClientSession>();
  const naming = new ClientNaming(sessions);
  const peer = kaiakPeer(transport, () => dialect.found.traits, { ...split.peer, noise: "report" });
  const handlers = streamHandlers((id) => naming.sessionOf(id), onDiagnostic);
  const watched = watchSilence(peer, transport.program, onError);
  const connection = connect(kaiak, "client", watched, handlers, { ...split.connect, profile: dialect });
  const link: ClientLink = {
    async request(method, params, call) {
      try {
        return await connection.request(method, params, call);
      } catch (error) {
        if (!dialect.shownBy(error)) throw error;
        return connection.request(method, params, call);
      }
    },
    profile: () => dialect.found,
    shownBy: (error) => dialect.shownBy(error),
    configuration: undefined,
    naming,
    onDiagnostic,
    onError,
    question,
    cancelGraceMs,
    timeoutMs,
    onUpdate: updateListener(onUpdate, onError),
    forget: (session) => void sessions.delete(session.id),
  };
  try {
    const info = await handshake(connection, options, timeoutMs);
    return clientOf(info, connection, link, sessions);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Throws a `TypeError` for wrong options. `name` is the function that got them. */
export function checkClientOptions(name: string, options: KaiakClientOptions): void {
  checkBinding(name, "kaiakProfiles", options);
  checkFunction(name, "question", options.question);
}

async function handshake(
  { request, notify }: Connection<Kaiak, "client">,
  { lspHandshake = false, clientInfo }: KaiakClientOptions,
  timeoutMs: number,
): Promise<KaiakResult<"initialize"> | undefined> {
  if (!lspHandshake) return undefined;
  const info = await request("initialize", { processId: null, ...(clientInfo && { clientInfo }) }, { timeoutMs });
  await notify("initialized", {});
  return info;
}

function clientOf(
  info: KaiakResult<"initialize"> | undefined,
  connection: Connection<Kaiak, "client">,
  link: ClientLink,
  sessions: Map<string, ClientSession>,
): KaiakClient {
  const cancel = (): Promise<unknown> => Promise.all([...sessions.values()].map((session) => session.cancel()));
  return {
    ...clientSide(connection, cancel),
    info,
    get profile() {
      return link.profile();
    },
    configure: (configuration, options) => configure(connection, link, configuration, options),
    newSession({ sessionId } = {}) {
      const isNamed = sessionId !== undefined;
      const id = sessionId ?? crypto.randomUUID();
      if (typeof id !== "string" || id === "" || id.length > 255)
        throw new TypeError(`newSession: expected sessionId to have 1 to 255 characters, received ${shown(id)}`);
      const session = sessions.get(id) ?? new ClientSession(id, link, isNamed);
      sessions.set(id, session);
      return session;
    },
  };
}

/** Sends the configuration, or keeps it for the runs of a dialect in which each of them carries it. */
async function configure(
  { request }: Connection<Kaiak, "client">,
  link: ClientLink,
  configuration: Configuration,
  { resetExisting, ...ask }: KaiakConfigureOptions = {},
): Promise<KaiakResult<"kaiak/configure">> {
  link.configuration = configuration;
  if (link.profile().traits.configuresRuns) return keptConfiguration(configuration);
  const params = { configuration, ...(resetExisting === undefined ? {} : { reset_existing: resetExisting }) };
  try {
    return await request("kaiak/configure", params, { timeoutMs: link.timeoutMs, ...ask });
  } catch (error) {
    if (!link.shownBy(error)) throw error;
    return keptConfiguration(configuration);
  }
}

function keptConfiguration(configuration: Configuration): KaiakResult<"kaiak/configure"> {
  return {
    status: "success",
    message: "The configuration goes with each run",
    configuration_applied: configuration,
    warnings: unsentIn(configuration),
    timestamp: now(),
  };
}

/** Gives each notification to its session. */
function streamHandlers(
  sessionOf: (id: string) => ClientSession | undefined,
  onDiagnostic: ClientLink["onDiagnostic"],
): Handlers<Kaiak, "client"> {
  type Context = { readonly length: number };
  const dropped = new DroppedMessages({ id: "unknown-session", method: undefined, subject: "session", onDiagnostic });
  const to = <Params extends { session_id: string }>(
    give: (session: ClientSession, params: Params, chars: number) => void | Promise<void>,
  ) => {
    return (params: Params, { length }: Context): void | Promise<void> => {
      const session = sessionOf(params.session_id);
      if (session !== undefined) return give(session, params, length);
      dropped.add(params.session_id);
    };
  };
  const event = <Params extends { session_id: string }>(read: (params: Params) => KaiakUpdateEvent) =>
    to<Params>((session, params, chars) => session.receive(read(params), chars));
  return {
    "kaiak/stream/progress": event(({ content }) => ({ type: "progress", progress: content })),
    "kaiak/stream/ai_response": event(({ content: { text, partial } }) => ({ type: "text", text, partial })),
    "kaiak/stream/thinking": event(({ content: { text } }) => ({ type: "thought", text })),
    "kaiak/stream/tool_call": to((session, { content }, chars) => session.receiveToolCall(content, chars)),
    "kaiak/stream/user_interaction": to((session, { content }, chars) => session.receiveQuestion(content, chars)),
    "kaiak/stream/file_modification": event(({ content }) => ({ type: "file_modification", modification: content })),
    "kaiak/stream/error": event(({ content }) => ({ type: "error", error: content })),
    "kaiak/stream/system": event(({ content }) => ({ type: "system", system: content })),
  };
}
