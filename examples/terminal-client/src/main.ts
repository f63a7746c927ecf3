import type { StopReason } from "@editwire/acp-schema";
import { type Client, openClient } from "./client.js";
import { completions } from "./completion.js";
import { interruptedCode } from "./interrupt.js";
import { type LineReader, terminalLines } from "./line-reader.js";
import { pipedLines } from "./piped-lines.js";
import { runLoop } from "./loop.js";
import { type CliOptions, parseOptions } from "./options.js";
import type { Policy } from "./permission.js";
import { describeFailure } from "./render/failure.js";
import { endTerminal, openTerminal, type Terminal, untilQuit } from "./terminal.js";

async function run(options: CliOptions, terminal: Terminal): Promise<number> {
  const { screen, colors, interrupts } = terminal;
  let client: Client | undefined;
  let lines: LineReader | undefined;
  try {
    client = await untilQuit(terminal, openClient({ ...options, policy: policyOf(options, terminal) }, terminal));
    interrupts.quit.addEventListener("abort", () => void client?.close());
    if (options.prompt !== undefined) {
      const stopReason = await client.turn(options.prompt);
      return interrupts.quit.aborted ? interrupts.exitCode : exitCodeOf(stopReason);
    }
    lines = linesOf(client, terminal);
    await runLoop(client, lines, terminal);
    return interrupts.exitCode;
  } catch (error) {
    if (interrupts.quit.aborted) return interrupts.exitCode;
    screen.print("failure", describeFailure(error, colors));
    return 1;
  } finally {
    lines?.close();
    screen.wait(colors.dim("ending the agent"));
    await client?.close();
  }
}

function policyOf({ yes }: CliOptions, { keyboard }: Terminal): Policy {
  if (yes) return { answer: "allow", reason: "answered by --yes", unsure: keyboard };
  return keyboard === undefined
    ? { answer: "reject", reason: "there is no terminal to ask at; --yes allows" }
    : { ask: keyboard };
}

function linesOf({ session }: Client, { screen, colors, keyboard, interrupts }: Terminal): LineReader {
  const prompt = `${colors.cyan("›")} `;
  const complete = (line: string): string[] => completions(line, session);
  const onInterrupt = (): void => interrupts.press();
  if (keyboard !== undefined) return terminalLines(process, keyboard, screen, { prompt, complete, onInterrupt });
  return pipedLines(process.stdin, (line) => screen.print("prompt", [`${prompt}${line}`]));
}

function exitCodeOf(stopReason: StopReason): number {
  if (stopReason === "end_turn") return 0;
  return stopReason === "cancelled" ? interruptedCode : 3;
}

const options = parseOptions(process.argv.slice(2));
if (typeof options === "number") process.exitCode = options;
else {
  const terminal = openTerminal();
  endTerminal(terminal, await run(options, terminal));
}
