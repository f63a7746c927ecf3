import { type AuthMethod, signInKind, signInVariables } from "@editwire/acp";
import { isRemoteError, isWireError, type RemoteError } from "@editwire/core";
import type { Colors } from "./look.js";
import { oneLine, plainOutput } from "./sanitize.js";
import { plural } from "./text.js";

const shownLines = 10;

/** Agents also use the code of this refusal for failures of other kinds. */
const asksToSignIn = /auth|sign(ed)?.?(in|out)|log(ged)?.?(in|out)|credential|api.?key/i;

/** The agent's refusal of a user who is not signed in, with the ways to sign in that it offers. */
export class SignInNeeded extends Error {
  readonly refusal: RemoteError;
  readonly methods: readonly AuthMethod[];

  constructor(refusal: RemoteError, methods: readonly AuthMethod[]) {
    super(refusal.message, { cause: refusal });
    this.refusal = refusal;
    this.methods = methods;
  }
}

/**
 * Describes what went wrong for a person: the message, then the beginning of the details that the agent sent with its
 * error, or the end of what a dead agent wrote to stderr.
 */
export function describeFailure(error: unknown, colors: Colors): string[] {
  const { red, dim } = colors;
  if (error instanceof SignInNeeded) {
    const ways = error.methods.flatMap((method) => wayToSignIn(method, colors));
    const own = asksToSignIn.test(error.refusal.message)
      ? [`  ${dim("sign in with the agent's own program, then start it here again")}`]
      : [];
    return [...describeFailure(error.refusal, colors), ...(ways.length === 0 ? own : ways)];
  }
  if (isRemoteError(error))
    return [
      `${red("✗")} The agent answers with an error: ${oneLine(error.message)} ${dim(`(${error.code})`)}`,
      ...describeDetails(error.data, colors),
    ];
  const reason = reasonOf(error);
  const text = reason === error ? textOf(error) : textOf(error).replace(/^\S+: /, ""); // without the call's method
  const message = isWireError(reason, "closed") ? `The agent is gone: ${text}` : text;
  const stderr = isWireError(reason) ? stderrOf(reason.data) : "";
  const lines = linesOf(stderr);
  const hidden = lines.length - shownLines;
  return [
    `${red("✗")} ${oneLine(message)}`,
    ...(lines.length === 0
      ? []
      : [dim(hidden > 0 ? `  the last ${shownLines} lines of its stderr:` : "  its stderr:")]),
    ...lines.slice(-shownLines).map((line) => `  ${dim("│")} ${line}`),
  ];
}

/** Describes a problem that does not end the program, such as an agent that does not answer. */
export function describeProblem(error: unknown, { yellow }: Colors): string[] {
  return [`${yellow("!")} ${oneLine(textOf(error))}`];
}

/** The text of an error, with a command of this repository in place of functions of its packages. */
function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace("spawnEca or connectEca of @editwire/eca", "`editwire bridge --from acp --to eca`");
}

/** Instructions for signing in, for a method that needs no terminal of the agent's own. */
function wayToSignIn(method: AuthMethod, { dim }: Colors): string[] {
  const { id, name } = method;
  const description = typeof method["description"] === "string" ? `. ${method["description"]}` : "";
  const told = dim(oneLine(`${name}${description}`));
  const kind = signInKind(method);
  if (kind === "agent") return [`  ${dim("sign in with")} --sign-in ${oneLine(id)}  ${told}`];
  if (kind !== "env_var") return [];
  const names = signInVariables(method).flatMap(({ name: variable, optional }) => (optional ? [] : [variable]));
  return [`  ${dim("sign in by setting")} ${oneLine(names.join(", "))}  ${told}`];
}

/** The `data` of an error: text as it is, anything else as JSON. */
function describeDetails(data: unknown, { dim }: Colors): string[] {
  if (data === undefined || data === null) return [];
  const lines = linesOf(typeof data === "string" ? data : JSON.stringify(data, null, 2));
  const hidden = lines.length - shownLines;
  return [
    ...lines.slice(0, shownLines).map((line) => `  ${dim("│")} ${line}`),
    ...(hidden > 0 ? [dim(`  │ … ${plural(hidden, "more line")}`)] : []),
  ];
}

function linesOf(text: string): string[] {
  return text.trim() === "" ? [] : plainOutput(text).trimEnd().split("\n");
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
