/** Prints who asks for what, and what comes back: one line for each, with the details below it. */
export interface Transcript {
  say(who: string, what: string, details?: string): void;
}

const nameWidth = 20;
const maxLines = 20;
const maxColumns = 110;

/**
 * Opens a transcript. Every process of the demo writes to the same terminal, and each line is written before what it
 * announces happens, so the order of the lines is the order of the events.
 */
export function openTranscript(write: (text: string) => void = (text) => void process.stdout.write(text)): Transcript {
  return {
    say(who, what, details = "") {
      write(`${who.padEnd(nameWidth)}${printable(what)}\n${indented(details)}`);
    },
  };
}

function indented(details: string): string {
  const lines = details.split("\n").filter((line) => line.trim() !== "");
  const rest = lines.length - maxLines;
  const shown = lines.slice(0, maxLines).map((line) => `    │ ${cut(printable(line))}\n`);
  return [...shown, ...(rest > 0 ? [`    │ … ${rest} more lines\n`] : [])].join("");
}

function cut(line: string): string {
  return line.length > maxColumns ? `${line.slice(0, maxColumns)}…` : line;
}

/** Text from files and models must not move the cursor or change colors. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, "�");
}
