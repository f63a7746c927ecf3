import { isWireError } from "@editwire/core";
import type { Client } from "./client.js";
import { type Command, commandHelp, parseCommand } from "./commands.js";
import type { LineReader } from "./line-reader.js";
import { describeFailure } from "./render/failure.js";
import { renderRows, type Row } from "./render/rows.js";
import { oneLine } from "./render/sanitize.js";
import { settingsOf } from "./settings.js";
import { renderSettings, renderValues } from "./settings-view.js";
import type { Terminal } from "./terminal.js";

type SettingCommand = Extract<Command, { readonly type: "mode" | "model" | "set" }>;

/** Runs prompts and commands until the lines end or the user quits. Rejects with the reason when the agent is gone. */
export async function runLoop(client: Client, lines: LineReader, terminal: Terminal): Promise<void> {
  const { interrupts } = terminal;
  const over = new AbortController();
  const stop = (): void => over.abort();
  interrupts.quit.addEventListener("abort", stop);
  void client.closed.then(stop);
  let goOn = true;
  while (goOn && !interrupts.quit.aborted) {
    const leave = interrupts.idle();
    const line = await lines.next(over.signal);
    leave();
    if (over.signal.aborted && !interrupts.quit.aborted) throw await client.closed;
    goOn = line !== undefined && (await runLine(line, client, lines, terminal));
  }
}

/** Runs one line; `false` ends the loop. */
async function runLine(line: string, client: Client, lines: LineReader, terminal: Terminal): Promise<boolean> {
  const { screen, colors } = terminal;
  const command = parseCommand(line);
  const say = (...texts: readonly string[]): void => screen.print("answer", texts);
  switch (command.type) {
    case "nothing":
      return true;
    case "quit":
      return false;
    case "help":
      say(...renderRows([...commandHelp, ...agentCommands(client)], client.look));
      return true;
    case "cancel":
      say(colors.dim("no turn is running"));
      return true;
    case "mode":
    case "model":
    case "set":
      if (await runSetting(command, client, terminal)) return true;
      break;
    case "unknown":
      if (hasCommand(client, command.text)) break;
      say(`${colors.yellow(oneLine(command.name))} is not a command; /help lists them`);
      return true;
    case "prompt":
      break;
  }
  await reportRefusal(terminal, runTurn(command.text, client, lines, terminal));
  return true;
}

/** Runs a turn; where lines are typed ahead, a `/cancel` among them cancels it. */
async function runTurn(text: string, client: Client, lines: LineReader, { interrupts }: Terminal): Promise<void> {
  const ended = new AbortController();
  const turn = client.turn(text);
  void lines.peek?.(ended.signal).then((next) => {
    if (next === undefined || parseCommand(next).type !== "cancel" || interrupts.phase !== "turn") return;
    interrupts.press();
    return lines.next(ended.signal);
  });
  try {
    await turn;
  } finally {
    ended.abort();
  }
}

/** Shows an error that the agent answers with; losing the agent ends the loop. */
async function reportRefusal({ screen, colors }: Terminal, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (isWireError(error, "closed")) throw error;
    screen.print("answer", describeFailure(error, colors));
  }
}

/** The agent's own commands. One of the same name as a command of this program cannot be reached, and is left out. */
function agentCommands({ session: { state } }: Client): Row[] {
  const own = commandHelp.map(([usage]) => usage.split(" ", 1).join(""));
  return state.commands
    .filter(({ name }) => !own.includes(`/${name}`))
    .map(({ name, description = "", input }) => [`/${name}${input ? ` ${input.hint}` : ""}`, description]);
}

/** Changes a setting, or shows its values. Returns false when the agent has no such setting, but a command instead. */
async function runSetting(command: SettingCommand, client: Client, terminal: Terminal): Promise<boolean> {
  const { session, look } = client;
  const { screen, colors } = terminal;
  const say = (lines: readonly string[]): void => screen.print("answer", lines);
  const settings = settingsOf(session);
  if (command.type === "set" && command.id === undefined) {
    if (settings.length === 0 && hasCommand(client, command.text)) return false;
    say(settings.length === 0 ? [colors.dim("this agent has no settings")] : renderSettings(settings, look));
    return true;
  }
  const setting = settings.find(({ id, role }) => (command.type === "set" ? id === command.id : role === command.type));
  if (setting === undefined) {
    if (hasCommand(client, command.text)) return false;
    const missing = command.type === "set" ? `setting ${oneLine(command.id ?? "")}` : `${command.type}s`;
    say([colors.dim(`this agent has no ${missing}`)]);
  } else if (command.value === undefined) say(renderValues(setting, look));
  else await reportRefusal(terminal, client.change(setting, command.value));
  return true;
}

/** Whether a line is a command of the agent, whose name may have several words. */
function hasCommand({ session: { state } }: Client, line: string): boolean {
  return state.commands.some(({ name }) => `${line} `.startsWith(`/${name} `));
}
