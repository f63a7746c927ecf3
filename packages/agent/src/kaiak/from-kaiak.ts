import {
  type Configuration,
  isSessionNotFound,
  type KaiakClient,
  type KaiakClientOptions,
  type KaiakSession,
} from "@editwire/kaiak";
import { type Agent, createAgent } from "../hub/agent.js";
import type { AgentDefinition } from "../api/definition.js";
import type { AgentStopReason } from "../api/events.js";
import { FarAgent } from "../far/far-agent.js";
import { checkGateway, farCancelGraceMs, gatewayKinds, type GatewayOptions } from "../far/far-options.js";
import type { AgentSession, AgentTurn } from "../api/session.js";
import { isTextual } from "../shared/texts.js";
import { FarKaiakRun, lostIn } from "./far-run.js";
import { runOf } from "./run-of.js";

/** The handlers that `open` passes on to the function that opens the client. */
export type FarKaiakHandlers = Pick<KaiakClientOptions, "onDiagnostic" | "onError" | "cancelGraceMs">;

/** How a Kaiak client becomes an agent. */
export interface KaiakGatewayOptions extends GatewayOptions {
  /**
   * The configuration of the server besides the folder, which is that of the session. Default: the server's, but
   * commands are asked about, which it denies otherwise.
   */
  configuration?: Omit<Configuration, "workspace"> | undefined;
}

/**
 * An agent that is a client of a Kaiak server. `open` opens the client with the given handlers, such as `(handlers)
 * => spawnKaiak(["kaiak", "serve"], handlers)`. A prompt has incidents: under `editwire/kaiak` of its `meta`, as
 * `toKaiak` makes it, or as JSON in a resource or a text. Other words are one incident. Approvals become permissions,
 * other interactions questions, and the progress a plan. The connection is opened when it is needed, and again after
 * it was lost.
 */
export function fromKaiak(
  open: (handlers: FarKaiakHandlers) => Promise<KaiakClient>,
  options: KaiakGatewayOptions = {},
): Agent {
  checkGateway("fromKaiak", open, options, { ...gatewayKinds, configuration: "object" });
  return createAgent(new KaiakGateway(open, options).definition);
}

const asksForCommands = { permissions: { tool_permissions: { shell_command: "approve" } } } as const;

/** The definition of an agent over a Kaiak client. */
class KaiakGateway {
  readonly definition: AgentDefinition;
  readonly #far: FarAgent<KaiakClient, KaiakSession>;
  readonly #configuration: Omit<Configuration, "workspace">;
  /** The folder that each server was configured with last. */
  readonly #folders = new WeakMap<KaiakClient, string>();
  /** Runs begin one after the other: a session begins with the configuration that the server has at that time. */
  #beginning: Promise<unknown> = Promise.resolve();

  constructor(
    open: (handlers: FarKaiakHandlers) => Promise<KaiakClient>,
    { configuration = asksForCommands, ...options }: KaiakGatewayOptions,
  ) {
    this.#configuration = configuration;
    this.#far = new FarAgent(options, () => {
      const { onDiagnostic } = this.#far;
      const onError: KaiakClientOptions["onError"] = (error, method) => this.#far.onError(error, method);
      return open({ onDiagnostic, onError, cancelGraceMs: farCancelGraceMs });
    });
    this.definition = {
      info: { name: "kaiak", version: "unknown" },
      accepts: ["resource"],
      ...this.#far.definition,
      opened: (session) => this.#far.notCarried.mcpServers("kaiak", session),
      prompt: (turn) => this.#prompt(turn),
      deleteSession: (sessionId) => this.#delete(sessionId),
    };
  }

  async #prompt(turn: AgentTurn): Promise<AgentStopReason> {
    const { incidents, migration_context: migrationContext, options } = runOf(turn.prompt, turn.meta, turn.session.cwd);
    this.#far.notCarried.prompt("kaiak", turn.prompt, isTextual);
    const client = await this.#far.connection.client();
    await this.#far.begin(turn);
    const run = new FarKaiakRun(turn, (error) => this.#far.onError(error, "kaiak/stream/user_interaction"));
    return this.#far.ask(async () => {
      const remote = this.#sessionOf(turn.session, client);
      const running = await this.#begin(client, turn.session.cwd, () =>
        remote.prompt(incidents, { migrationContext, options, signal: turn.signal }),
      );
      for await (const event of running) {
        this.#far.heard(event);
        if (this.#far.sessions.farId(turn.session.id) !== remote.id)
          this.#far.sessions.rename(turn.session.id, remote.id);
        if (event.type === "stop") return run.end(event.stopReason);
        this.#far.notCarried.report("kaiak", ...lostIn(event));
        await run.update(event);
      }
      return "end_turn";
    }, "kaiak/generate_fix");
  }

  /** The far session. One that another connection had is continued under its id. */
  #sessionOf(session: AgentSession, client: KaiakClient): KaiakSession {
    const known = this.#far.sessions.get(session);
    if (known?.client === client) return known.remote;
    const remote = client.newSession(known === undefined ? {} : { sessionId: known.remote.id });
    this.#far.sessions.set(session, { client, remote });
    return remote;
  }

  /** Begins a run after the server has the folder of its session. */
  #begin<Run>(client: KaiakClient, cwd: string, begin: () => Run): Promise<Run> {
    const begun = this.#beginning.then(async () => {
      if (this.#folders.get(client) !== cwd)
        await client.configure({ ...this.#configuration, workspace: { working_dir: cwd } });
      this.#folders.set(client, cwd);
      return begin();
    });
    this.#beginning = begun.catch(() => {});
    return begun;
  }

  async #delete(sessionId: string): Promise<void> {
    const farId = this.#far.sessions.farId(sessionId);
    if (farId === sessionId) return; // no run has begun it
    const client = await this.#far.connection.client();
    await this.#far.ask(async () => {
      try {
        await client.newSession({ sessionId: farId }).delete({ force: true });
      } catch (error) {
        if (!isSessionNotFound(error)) throw error;
      }
    }, "kaiak/delete_session");
  }
}
