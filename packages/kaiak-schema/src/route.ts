import { isObject, RemoteError, type Route } from "@editwire/core";

/** The request that carries the commands (the Language Server Protocol's). */
export const executeCommand = "workspace/executeCommand";

/** The methods that are commands. */
export const commands = [
  "kaiak/configure",
  "kaiak/generate_fix",
  "kaiak/delete_session",
  "kaiak/interaction/respond",
  "kaiak/client/user_message",
  "kaiak/fix/cancel",
] as const;

const known: ReadonlySet<unknown> = /* @__PURE__ */ new Set(commands);
const isCommand = (method: unknown): boolean => known.has(method);

/**
 * Carries commands as `workspace/executeCommand` with one argument, as the specification has it. Plain commands are
 * read too. For an unknown command, `unwrap` throws the `RemoteError` -32601; for params without a command or an
 * argument, -32602.
 */
export const kaiakRoute: Route = {
  wrap: (method, params) =>
    isCommand(method)
      ? { method: executeCommand, params: { command: method, arguments: [params] } }
      : { method, params },
  unwrap(method, params) {
    if (method !== executeCommand) return { method, params };
    const { command, arguments: given } = isObject(params) ? params : {};
    if (typeof command !== "string") throw invalid("command", "expected a string");
    if (!isCommand(command)) throw unknownCommand(command);
    if (!Array.isArray(given) || given.length === 0) throw invalid("arguments", "expected an array of one object");
    return { method: command, params: given[0] };
  },
};

function invalid(field: string, expected: string): RemoteError {
  return RemoteError.invalidParams(`${executeCommand}: ${field}: ${expected}`, { field });
}

function unknownCommand(command: string): RemoteError {
  const { code, message } = RemoteError.methodNotFound(command);
  return new RemoteError(code, message, { requested_method: command, supported_methods: [...commands] });
}
