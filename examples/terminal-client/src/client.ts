import { setTimeout } from "node:timers/promises";
import { type AcpClient, type AcpClientOptions, type AcpSession, dialAcp, type AcpTurnEvent } from "@editwire/acp";
import { spawnAcp, type AcpSpawnOptions } from "@editwire/acp/node";
import type { StopReason } from "@editwire/acp-schema";
import { lendTerminals, type LentTerminals } from "./lent-terminals.js";
import { createPermissionHandler, type Policy } from "./permission.js";
import { describeProblem } from "./render/failure.js";
import type { Colors, Look } from "./render/look.js";
import { oneLine, plainOutput } from "./render/sanitize.js";
import { describeStop, formatDuration, plural } from "./render/text.js";
import { changeSetting, type Setting, settingsOf } from "./settings.js";
import { createSettingsView } from "./settings-view.js";
import { signedIn, signIn } from "./sign-in.js";
import type { Terminal } from "./terminal.js";
import { createTurnView, type TurnView } from "./turn-view.js";

/** A value for a setting. */
export interface SettingArgument {
  readonly id: string;
  readonly value: string;
}

/** The agent to start, or to reach, and how to treat it. */
export interface ClientOptions extends Pick<AcpSpawnOptions, "profile" | "framing"> {
  /** The agent's command and its arguments; no shell is run. */
  readonly command: readonly string[];
  /** Where an agent is served over HTTP; then no command is run. */
  readonly url?: string | undefined;
  /** By which HTTP transport: that of the specification, or Streamable HTTP of version 1. Default `sse`. */
  readonly over?: "sse" | "streamable" | undefined;
  /** The bearer token that this agent requires. */
  readonly token?: string | undefined;
  /** The folder to work on, as an absolute path. */
  readonly cwd: string;
  readonly mode?: string | undefined;
  /** Values of settings, by the settings' ids. Default: as the agent sets them. */
  readonly settings?: readonly SettingArgument[] | undefined;
  /**
   * The id of the way to sign in before the session is opened, and again when the agent asks for it later. Default: the
   * user is asked when the agent asks for it.
   */
  readonly signIn?: string | undefined;
  /** Show diagnostics, the agent's stderr and unknown updates. Default false. */
  readonly verbose?: boolean | undefined;
  readonly policy: Policy;
}

/** A running agent with one session, on the screen. */
export interface Client {
  readonly session: AcpSession;
  /** How texts about the session look. */
  readonly look: Look;
  /** Gives a setting another value and shows what has changed. Rejects with the agent's error. */
  change(setting: Setting, value: string): Promise<void>;
  /** Runs a turn and shows it. Rejects when the agent is lost or answers with an error. */
  turn(prompt: string): Promise<StopReason>;
  /** Resolves with the reason once the agent is gone. */
  readonly closed: Promise<Error>;
  /** Waits a short time for a turn that was cancelled, then ends the agent, with every process that it started. */
  close(): Promise<void>;
}

/** Milliseconds that a cancelled turn has to end before the agent is closed. */
const cancelledTurnMs = 2_000;

/** The terminal, and what shows a session on it. */
interface Stage extends Terminal {
  readonly view: TurnView;
  readonly lent: LentTerminals;
  show(event: AcpTurnEvent): void;
}

/** Starts or reaches the agent and opens a session. Rejects when it cannot be had, dies, or refuses. */
export async function openClient(options: ClientOptions, terminal: Terminal): Promise<Client> {
  const { screen, colors } = terminal;
  const lent = lendTerminals();
  const look: Look = {
    colors,
    cwd: options.cwd,
    live: screen.live,
    get columns() {
      return screen.columns;
    },
  };
  const view = createTurnView(screen, look, options.verbose ?? false, lent.outputOf);
  const settings = createSettingsView(screen, colors);
  let opened: AcpSession | undefined;
  const show = (event: AcpTurnEvent): void => {
    view.show(event);
    const isSetting = event.type === "mode" || event.type === "config_options";
    if (isSetting && opened !== undefined) settings.show(settingsOf(opened));
  };

  const stage: Stage = { ...terminal, view, show, lent };

  terminal.interrupts.quit.addEventListener("abort", () => screen.wait(colors.dim("ending the agent")));
  screen.wait(
    colors.dim(
      options.url === undefined
        ? `starting ${oneLine(options.command.join(" "))}`
        : `connecting to ${oneLine(options.url)}`,
    ),
  );
  try {
    const agent = await startAgent(options, stage);
    const session = await openSession(agent, options, stage);
    opened = session;
    screen.print("start", [describeAgent(agent, settings.start(settingsOf(session)), colors)]);
    let running: Promise<unknown> = Promise.resolve();
    return {
      session,
      look,
      async change(setting, value) {
        await changeSetting(session, setting, value);
        settings.show(settingsOf(session));
      },
      turn(prompt) {
        const turn = signedIn(agent, options.signIn, terminal, () => runTurn(session, prompt, stage));
        running = turn.catch(() => {});
        return turn;
      },
      closed: agent.closed,
      async close() {
        await Promise.race([running, setTimeout(cancelledTurnMs, undefined, { ref: false })]);
        await agent.close();
      },
    };
  } finally {
    screen.wait(undefined);
  }
}

/** Diagnostics of something that the agent wrote and that is not shown. */
const losses = new Set(["rpc.noise", "rpc.unreadable", "rpc.invalid-notification"]);

/** The report on an agent that does not end a cancelled turn in its time: it may have been stopped. */
const unended = "The agent has not ended the cancelled turn; it may not answer the next prompt";

function startAgent(options: ClientOptions, { screen, colors, view, show, lent }: Stage): Promise<AcpClient> {
  let isLossSaid = false;
  const note = (text: string): void => {
    if (options.verbose)
      screen.print(
        "note",
        plainOutput(text)
          .trimEnd()
          .split("\n")
          .map((line) => colors.dim(line)),
      );
  };
  const common: AcpClientOptions = {
    clientInfo: { name: "editwire-terminal-client", version: "0.0.0" },
    profile: options.profile,
    clientCapabilities: { session: { configOptions: { boolean: {} } } },
    permission: createPermissionHandler(options.policy, screen, view, colors),
    onUpdate: show,
    onDiagnostic({ id, method, message }) {
      note(`diagnostic ${id}, ${method ?? "no method"}: ${message}`);
      if (id === "cancel-unanswered") screen.print("note", describeProblem(unended, colors));
      if (options.verbose || isLossSaid || !losses.has(id)) return;
      isLossSaid = true;
      const line = plainOutput(`${message} (said once; --verbose shows all)`);
      screen.print("note", describeProblem(line, colors));
    },
    onError: (error) => screen.print("note", describeProblem(error, colors)),
  };
  if (options.url !== undefined) {
    const paths = options.over === "streamable" ? undefined : "spec";
    return dialAcp(options.url, { ...common, token: options.token, paths });
  }
  return spawnAcp(options.command, {
    ...common,
    terminals: lent.terminals, // an agent on another machine gets none
    framing: options.framing,
    onStderr: (text) => note(`stderr: ${text}`),
  });
}

async function openSession(agent: AcpClient, options: ClientOptions, terminal: Terminal): Promise<AcpSession> {
  const { cwd, mode } = options;
  try {
    if (options.signIn !== undefined) await signIn(agent, options.signIn, terminal);
    const session = await signedIn(agent, undefined, terminal, () => agent.newSession({ cwd }));
    if (mode !== undefined && mode !== session.modes?.currentModeId) await session.setMode(mode);
    for (const { id, value } of options.settings ?? []) {
      const setting = settingsOf(session).find((each) => each.id === id);
      await (setting === undefined ? session.setConfigOption(id, value) : changeSetting(session, setting, value));
    }
    return session;
  } catch (error) {
    await agent.close();
    throw error;
  }
}

function describeAgent({ info }: AcpClient, settings: readonly Setting[], { bold, dim }: Colors): string {
  const { name, title, version } = info.agentInfo ?? {};
  const label = oneLine(title ?? name ?? "agent");
  const main = settings.flatMap(({ role, current }) => (role === undefined ? [] : [`${role} ${current}`]));
  const facts = [...(version === undefined ? [] : [version]), ...main].map((fact) => oneLine(fact));
  return `${bold(label)}${dim(facts.map((fact) => `  ${fact}`).join(""))}`;
}

async function runTurn(
  session: AcpSession,
  prompt: string,
  { screen, colors, interrupts, view, show }: Stage,
): Promise<StopReason> {
  const started = performance.now();
  const turn = session.prompt(prompt);
  const leave = interrupts.turn(() => {
    void turn.cancel();
    setImmediate(() => view.cancel()); // below the question that this withdraws
  });
  let toolCalls = 0;
  view.begin();
  try {
    for await (const event of turn) {
      show(event);
      await screen.drained();
    }
  } finally {
    leave();
    toolCalls = view.finish();
  }
  const stopReason = await turn.stopReason;
  const facts = [
    describeStop(stopReason),
    ...(toolCalls > 0 ? [plural(toolCalls, "tool call")] : []),
    formatDuration(performance.now() - started),
  ];
  screen.print("end", [colors.dim(facts.join(" · "))]);
  return stopReason;
}
