import { isRemoteError, isWireError } from "@editwire/core";
import { type Colors } from "./look.js";
import { oneLine, plainOutput } from "./sanitize.js";

const stderrLines = 10;

/** What went wrong, for a person: the message, then the end of what a dead agent wrote to stderr. */
export function describeFailure(error: unknown, { red, dim }: Colors): string[] {
  if (isRemoteError(error))
    return [`${red("✗")} The agent answers with an error: ${oneLine(error.message)} ${dim(`(${error.code})`)}`];
  const reason = reasonOf(error);
  const text = reason instanceof Error ? reason.message : String(reason);
  const message = isWireError(reason, "closed") ? `The agent is gone: ${text}` : text;
  const stderr = isWireError(reason) ? stderrOf(reason.data) : "";
  const lines = stderr === "" ? [] : plainOutput(stderr).trimEnd().split("\n");
  const hidden = lines.length - stderrLines;
  return [
    `${red("✗")} ${oneLine(message)}`,
    ...(lines.length === 0
      ? []
      : [dim(hidden > 0 ? `  the last ${stderrLines} lines of its stderr:` : "  its stderr:")]),
    ...lines.slice(-stderrLines).map((line) => `  ${dim("│")} ${line}`),
  ];
}

/** A call that fails because the connection is closed carries, as its cause, why that is. */
function reasonOf(error: unknown): unknown {
  return isWireError(error, "closed") && isWireError(error.cause) ? reasonOf(error.cause) : error;
}

function stderrOf(data: unknown): string {
  return typeof data === "object" && data !== null && "stderr" in data && typeof data.stderr === "string"
    ? data.stderr
    : "";
}
