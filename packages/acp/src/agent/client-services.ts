import type {
  Acp,
  AcpResult,
  ClientCapabilities,
  ElicitationSchema,
  ElicitationValue,
  Meta,
  TerminalExitStatus,
} from "@editwire/acp-schema";
import { type ParamsOf, type RequestName, type ResultOf, WireError } from "@editwire/core";
import type { AskOptions } from "@editwire/session";
import { formAnswer } from "../shared/elicitation-fields.js";

/** A part of a text file. */
export interface AcpTextRange {
  line?: number | undefined;
  limit?: number | undefined;
}

/** A command for the client to run. */
export interface AcpNewTerminal {
  command: string;
  args?: readonly string[] | undefined;
  /** Environment variables to set besides those of the client. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Absolute. Default: the session's working directory. */
  cwd?: string | undefined;
  /** Bytes of output that the client keeps. Default: the client's choice. */
  outputByteLimit?: number | undefined;
}

/** A command that the client runs. It is released at the latest when its turn ends, which ends the command too. */
export interface AcpTerminal {
  /** For `{ type: "terminal", terminalId }` in the output of a tool call. */
  readonly terminalId: string;
  /** Its output so far. */
  output(options?: AskOptions): Promise<AcpResult<"terminal/output">>;
  /** Resolves when the command has ended. */
  waitForExit(options?: AskOptions): Promise<TerminalExitStatus>;
  /** Ends the command; its output stays readable. */
  kill(options?: AskOptions): Promise<void>;
  /** Ends the command and forgets its output. Later calls do nothing. */
  release(): Promise<void>;
  /** As `release`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Asks the user to fill in a form, or to open a page. */
export type AcpElicitationQuestion =
  | (ElicitationFields & { mode: "form"; requestedSchema: ElicitationSchema })
  | (ElicitationFields & { mode: "url"; url: string; elicitationId: string });

interface ElicitationFields {
  message: string;
  toolCallId?: string | undefined;
  _meta?: Meta | undefined;
}

/**
 * The services of a session's client. Each method rejects with `WireError("invalid_params")`, before anything is sent,
 * when the client did not declare its capability; with `WireError("aborted")` when the turn is cancelled or `signal`
 * aborts; with `WireError("timeout")` after `timeoutMs`, by default never; and with the client's `RemoteError`.
 */
export interface AcpAgentClient {
  /** The capabilities that the client declared. */
  readonly capabilities: ClientCapabilities;
  /**
   * The same services, with this `_meta` on each of their requests, such as the trace context of the turn. `onMeta` is
   * called with the `_meta` of each answer that has one, and with the method.
   */
  withMeta(meta: Meta, onMeta?: (meta: Meta, method: string) => void): AcpAgentClient;
  /** Reads a text file, with what is not saved yet. `line` counts from 1; `limit` is a number of lines. */
  readTextFile(path: string, options?: AcpTextRange & AskOptions): Promise<string>;
  writeTextFile(path: string, content: string, options?: AskOptions): Promise<void>;
  createTerminal(terminal: AcpNewTerminal & AskOptions): Promise<AcpTerminal>;
  /** Rejects with `WireError("invalid_result")` for an answer that the form does not allow. */
  elicit(question: AcpElicitationQuestion, options?: AskOptions): Promise<AcpResult<"elicitation/create">>;
}

export interface AgentServiceParts {
  readonly sessionId: string;
  readonly capabilities: ClientCapabilities;
  /** Throws for a capability that the client did not declare. */
  check(method: string, path: string): void;
  request<N extends RequestName<Acp, "agent">>(
    method: N,
    params: ParamsOf<Acp, N>,
    options?: AskOptions,
  ): Promise<ResultOf<Acp, N>>;
  /** As `request`, also when the turn is over. */
  release: AgentServiceParts["request"];
  /** Calls `close` when the turn ends, unless the returned function is called first. */
  opened(close: () => Promise<void>): () => void;
}

/** The client's services for one turn. */
export function agentClientServices(all: AgentServiceParts): AcpAgentClient {
  const { sessionId, capabilities, ...parts } = all;
  return {
    capabilities,
    withMeta(_meta, onMeta) {
      const carrying =
        (ask: AgentServiceParts["request"]): AgentServiceParts["request"] =>
        async (method, params, options) => {
          const answer = await ask(method, { ...params, _meta }, options);
          const { _meta: answered } = answer as { _meta?: Meta };
          if (answered !== undefined) onMeta?.(answered, method);
          return answer;
        };
      return agentClientServices({ ...all, request: carrying(all.request), release: carrying(all.release) });
    },
    async readTextFile(path, { line, limit, ...options } = {}) {
      if (line !== undefined && line < 1)
        throw new WireError(
          "invalid_params",
          `fs/read_text_file: params.line: expected a number from 1 on, received ${line}`,
        );
      const range = { ...(line === undefined ? {} : { line }), ...(limit === undefined ? {} : { limit }) };
      return (await parts.request("fs/read_text_file", { sessionId, path, ...range }, options)).content;
    },
    async writeTextFile(path, content, options) {
      await parts.request("fs/write_text_file", { sessionId, path, content }, options);
    },
    async createTerminal({ command, args, env, cwd, outputByteLimit, ...options }) {
      const terminal = {
        sessionId,
        command,
        ...(args === undefined ? {} : { args: [...args] }),
        ...(env === undefined ? {} : { env: Object.entries(env).map(([name, value]) => ({ name, value })) }),
        ...(cwd === undefined ? {} : { cwd }),
        ...(outputByteLimit === undefined ? {} : { outputByteLimit }),
      };
      const { terminalId } = await parts.request("terminal/create", terminal, options);
      return terminalOf({ sessionId, terminalId }, parts);
    },
    async elicit(question, options) {
      parts.check("elicitation/create", `elicitation.${question.mode}`);
      return checkContent(question, await parts.request("elicitation/create", { ...question, sessionId }, options));
    },
  };
}

/** Returns the answer. Throws `WireError("invalid_result")` for content that the form does not allow. */
export function checkContent(
  question: Pick<AcpElicitationQuestion, "mode"> & { requestedSchema?: ElicitationSchema | undefined },
  answer: AcpResult<"elicitation/create">,
): AcpResult<"elicitation/create"> {
  if (question.requestedSchema === undefined || answer.action !== "accept") return answer;
  const { content = {} } = answer as { content?: Readonly<Record<string, ElicitationValue>> | undefined };
  const [issue] = formAnswer(question.requestedSchema, content).issues ?? [];
  if (issue === undefined) return answer;
  throw new WireError("invalid_result", `elicitation/create: result.content.${issue.field}: ${issue.message}`);
}

function terminalOf(
  target: { sessionId: string; terminalId: string },
  { request, release, opened }: Omit<AgentServiceParts, "sessionId" | "capabilities">,
): AcpTerminal {
  let released: Promise<void> | undefined;
  const end = (): Promise<void> => {
    forget();
    return (released ??= release("terminal/release", target).then(() => {}));
  };
  const forget = opened(end);
  return {
    terminalId: target.terminalId,
    output: (options) => request("terminal/output", target, options),
    waitForExit: (options) => request("terminal/wait_for_exit", target, options),
    kill: async (options) => void (await request("terminal/kill", target, options)),
    release: end,
    [Symbol.asyncDispose]: end,
  };
}
