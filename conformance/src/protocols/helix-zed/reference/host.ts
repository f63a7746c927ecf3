import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import type { WsServerReference } from "../../../core/protocol.js";
import { type Control, UnsupportedAction } from "../../../wire/link.js";
import {
  type Reaction,
  eventOf,
  type HostBehavior,
  type HostEvent,
  type HostInteraction,
  type HostSession,
  isId,
  type Json,
  rightHost,
  waits,
} from "./host-behavior.js";
import { methodsFrom } from "../samples.js";
import { keepAlive, type PingTimes, timer } from "./host-timers.js";

const syncPath = "/api/v1/external-agents/sync";

/** The reference host, with some of its switches replaced: it listens on a port of its own. */
export const listenReferenceHost: WsServerReference["listen"] = async (patch: Partial<HostBehavior> = {}) => {
  const behavior = { ...rightHost, ...patch };
  const host = new ReferenceHost(behavior);
  const token = randomUUID();
  const server = createServer((_request, response) => void response.writeHead(404).end());
  const upgrader = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong: false });
  server.on("upgrade", (request: IncomingMessage, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const agent = searchParams.get("session_id") ?? searchParams.get("agent_id");
    const status =
      pathname !== syncPath
        ? 404
        : (behavior.refuses(request.headers.authorization, token) ?? (isId(agent) ? undefined : 400));
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => void (behavior.bytes(chunk) === "die" && socket.destroy()));
    if (status === undefined)
      return upgrader.handleUpgrade(request, socket, head, (ws) => host.connect(agent ?? "", ws));
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    control: host,
    async close() {
      host.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Events that agents send. An event that names no session and no turn changes nothing. */
const known = methodsFrom("agent", "notification");

interface Connection {
  readonly socket: WebSocket;
  isReady: boolean;
}

interface Agent {
  /** Oldest first. */
  connections: Connection[];
  pings: PingTimes;
  /** Milliseconds for which its connections wait for it to be ready. */
  readyMs: number;
}

class ReferenceHost implements Control {
  readonly #sessions = new Map<string, HostSession>();
  readonly #agents = new Map<string, Agent>();
  /** The calls that wait for the end of an interaction. */
  readonly #endings = new Map<HostInteraction, { resolve(result: Json): void; reject(error: Error): void }>();

  readonly #behavior: HostBehavior;

  constructor(behavior: HostBehavior) {
    this.#behavior = behavior;
  }

  async do(action: string, args: Json = {}): Promise<unknown> {
    const behavior = this.#behavior;
    const id = String(args["session"]);
    switch (action) {
      case "send":
        return this.#open(id, String(args["agent"]), String(args["message"]));
      case "report":
        return behavior.report(this.#sessions.get(id) ?? { id, agent: "", thread: null, interactions: [] });
      case "cancel": {
        const session = this.#sessions.get(id);
        const running = session?.interactions.find(waits);
        if (session === undefined || running === undefined) throw new Error(`nothing runs in ${id}`);
        this.#send(session.agent, "cancel_current_turn", behavior.cancel(running.requestId));
        return {};
      }
      case "pings":
        this.#agent(String(args["agent"])).pings = { pingMs: Number(args["pingMs"]), pongMs: Number(args["pongMs"]) };
        return {};
      case "readiness":
        this.#agent(String(args["agent"])).readyMs = Number(args["ms"]);
        return {};
      default:
        throw new UnsupportedAction(`there is no action "${action}"`);
    }
  }

  connect(id: string, socket: WebSocket): void {
    const behavior = this.#behavior;
    const agent = this.#agent(id);
    const readyMs = behavior.readyMs(agent.readyMs);
    const connection: Connection = { socket, isReady: readyMs === 0 };
    const before = agent.connections;
    agent.connections = [...before, connection];
    const stops = [
      behavior.pings
        ? keepAlive(socket, { ...agent.pings, ...(!behavior.dropsSilent && { pongMs: Infinity }) })
        : (): void => {},
    ];
    if (!connection.isReady) stops.push(timer(readyMs, () => this.#ready(id, connection)));
    socket.on("error", () => {});
    socket.once("close", () => {
      agent.connections = agent.connections.filter((one) => one !== connection);
      for (const stop of stops) stop();
    });
    socket.on("ping", (data) => {
      if (socket.readyState === WebSocket.OPEN) socket.pong(behavior.pong(data));
    });
    socket.on("message", (data: RawData, isBinary: boolean) => {
      behavior.schedule(
        () => void (this.#frame(id, connection, data as Buffer, isBinary) === "die" && socket.terminate()),
      );
    });
    if (behavior.closesOlder) for (const { socket: old } of before) old.close(1000, "the agent dialed again");
    for (const session of this.#of(id)) {
      session.thread = behavior.keptThread(session.thread);
      for (const message of behavior.greeting(session)) this.#write(socket, message);
    }
    this.#dispatch(id);
  }

  close(): void {
    for (const { connections } of this.#agents.values()) for (const { socket } of connections) socket.terminate();
    for (const { reject } of this.#endings.values()) reject(new Error("the host is closed"));
  }

  #agent(id: string): Agent {
    const known = this.#agents.get(id);
    if (known !== undefined) return known;
    const agent: Agent = { connections: [], pings: { pingMs: 54_000, pongMs: 6_000 }, readyMs: 0 };
    this.#agents.set(id, agent);
    return agent;
  }

  #of(agent: string): HostSession[] {
    return [...this.#sessions.values()].filter((one) => one.agent === agent);
  }

  #open(id: string, agent: string, message: string): Promise<Json> {
    const session: HostSession = this.#sessions.get(id) ?? { id, agent, thread: null, interactions: [] };
    this.#sessions.set(id, session);
    const interaction: HostInteraction = {
      requestId: this.#behavior.requestId(session),
      message,
      state: "waiting",
      messages: [],
    };
    session.interactions.push(interaction);
    const over = new Promise<Json>((resolve, reject) => this.#endings.set(interaction, { resolve, reject }));
    this.#dispatch(agent);
    return over;
  }

  #ready(id: string, connection: Connection): void {
    connection.isReady = true;
    this.#dispatch(id);
  }

  /** Sends what should be with the agent, once on each connection. */
  #dispatch(id: string): void {
    const behavior = this.#behavior;
    const all = this.#of(id);
    const connection = behavior.speaksOn(this.#agent(id).connections);
    if (connection?.isReady !== true) return;
    for (const session of all) {
      for (const interaction of behavior.due(session, all)) {
        if (interaction.sentOn === connection) continue;
        const ids = interaction.sentOn === undefined ? [interaction.requestId] : behavior.again(interaction.requestId);
        interaction.sentOn = connection;
        for (const requestId of ids) {
          interaction.requestId = requestId;
          const hearers = behavior.hearers(id, [...this.#agents.keys()]);
          for (const hearer of hearers) this.#send(hearer, "chat_message", behavior.chat(session, interaction));
        }
      }
    }
  }

  #frame(id: string, connection: Connection, bytes: Buffer, isBinary: boolean): Reaction {
    const behavior = this.#behavior;
    let event: HostEvent | undefined;
    try {
      event = eventOf(behavior.read(bytes, isBinary), behavior);
    } catch {
      // It is judged like any other that is not an event.
    }
    if (event === undefined) return behavior.badFrame(bytes, this.#of(id));
    const reaction = behavior.onEvent(event);
    if (reaction === "take") return this.#take(id, connection, event);
    return reaction;
  }

  #take(id: string, connection: Connection, event: HostEvent): Reaction {
    const behavior = this.#behavior;
    const { name, thread, data } = event;
    if (name === "agent_ready") {
      if (behavior.heedsReady) this.#ready(id, connection);
      return "take";
    }
    if (!known.includes(name)) return behavior.unknownEvent(name);
    const session = behavior.sessionOf(event, this.#of(id));
    if (session === undefined) return "drop";
    if (name === "context_created" && isId(thread)) behavior.created(session, thread);
    const interaction = behavior.interactionOf(event, session);
    if (interaction === undefined) return "drop";
    const { content, message_id: messageId, role } = data;
    if (
      name === "message_added" &&
      typeof content === "string" &&
      behavior.isAnswer(role) &&
      behavior.grows(interaction)
    ) {
      interaction.messages = behavior.updated(interaction.messages, messageId, content);
    }
    interaction.state = behavior.stateAfter(interaction, event);
    if (interaction.state === "error") interaction.error ??= behavior.errorOf(data);
    if (!waits(interaction)) {
      this.#endings.get(interaction)?.resolve({ state: interaction.state });
      this.#endings.delete(interaction);
    }
    this.#dispatch(id);
    return "take";
  }

  #send(agent: string, type: string, data: Json): void {
    const connection = this.#behavior.speaksOn(this.#agent(agent).connections);
    if (connection !== undefined) this.#write(connection.socket, { type, data });
  }

  #write(socket: WebSocket, message: Json): void {
    for (const one of this.#behavior.outgoing(message))
      if (socket.readyState === WebSocket.OPEN) socket.send(this.#behavior.encode(one));
  }
}
