import {
  acp,
  type Acp,
  type AcpParams,
  type AcpResult,
  type ClientCapabilities,
  type FormElicitation,
  type Meta,
  type TerminalExitStatus,
  type UrlElicitation,
} from "@editwire/acp-schema";
import { ErrorCode, type HandlerContext, type Handlers, methodOf, RemoteError } from "@editwire/core";
import { checkFunctions, failedToAnswer, type Listeners, Questions } from "@editwire/session";
import { type AcpAnswer, answerOf } from "../shared/confirmation.js";
import { isDeclared } from "../shared/capabilities.js";

/** The context of a call to a service, passed after the params. */
export interface AcpServiceContext {
  /** Aborts when the agent cancels the request, or the connection closes. */
  readonly signal: AbortSignal;
  /** The folders of the session: its working directory, then the additional ones. Empty for an unknown session. */
  readonly roots: readonly string[];
}

/** The client's files, for the agent. `nodeFileSystem` of `@editwire/acp/node` has those of this machine. */
export interface AcpFileSystem {
  /** `fs/read_text_file`. Absent: not declared. */
  readTextFile?:
    | ((params: AcpParams<"fs/read_text_file">, context: AcpServiceContext) => Promise<AcpResult<"fs/read_text_file">>)
    | undefined;
  /** `fs/write_text_file`. Absent: not declared. */
  writeTextFile?:
    | ((params: AcpParams<"fs/write_text_file">, context: AcpServiceContext) => Promise<void | AcpAnswer>)
    | undefined;
}

/** Commands that the client runs for the agent. `nodeTerminals` of `@editwire/acp/node` runs them on this machine. */
export interface AcpTerminals {
  create(params: AcpParams<"terminal/create">, context: AcpServiceContext): Promise<AcpResult<"terminal/create">>;
  output(params: AcpParams<"terminal/output">, context: AcpServiceContext): Promise<AcpResult<"terminal/output">>;
  waitForExit(params: AcpParams<"terminal/wait_for_exit">, context: AcpServiceContext): Promise<TerminalExitStatus>;
  kill(params: AcpParams<"terminal/kill">, context: AcpServiceContext): Promise<void | AcpAnswer>;
  release(params: AcpParams<"terminal/release">, context: AcpServiceContext): Promise<void | AcpAnswer>;
  /** Called when a session was closed; without an id, when the connection was: ends what still runs. */
  end?(sessionId?: string): void;
}

/**
 * Asks the user. If it throws, the question is declined. `signal` aborts when the turn is cancelled: the answer is then
 * `cancel`.
 */
export type AcpElicitationHandler<Question> = (
  question: Question,
  context: { readonly signal: AbortSignal },
) => Promise<AcpResult<"elicitation/create">>;

/** How the client asks the user for more than a permission. */
export interface AcpElicitation {
  /** Shows a form. Absent: not declared. */
  form?: AcpElicitationHandler<FormElicitation> | undefined;
  /** Opens a page, with the user's consent. Absent: not declared. */
  url?: AcpElicitationHandler<UrlElicitation> | undefined;
  /** Called when the agent says that the user is done with a page. */
  completed?: ((elicitationId: string, meta: Meta | undefined) => void) | undefined;
}

/** The services of a client. Only those that are given here are declared to the agent. */
export interface AcpServices {
  /** Default none. */
  fs?: AcpFileSystem | undefined;
  /** Default none. */
  terminals?: AcpTerminals | undefined;
  /** Default none. */
  elicitation?: AcpElicitation | undefined;
  /** Capabilities of this client besides its services. False for a service hides it. */
  clientCapabilities?: ClientCapabilities | undefined;
}

/** The facts about the client's sessions that the services use. */
interface SessionFacts {
  rootsOf(sessionId: string): readonly string[];
  /** The session's turn. */
  turnOf(sessionId: string | undefined): { readonly signal: AbortSignal; handed(): Promise<void> } | undefined;
}

const servicePaths = [
  "fs.readTextFile",
  "fs.writeTextFile",
  "terminal",
  "elicitation.form",
  "elicitation.url",
] as const;

/**
 * The capabilities to declare. Throws a `TypeError` for a declared service that is not given: the agent would call it
 * in vain.
 */
export function clientCapabilitiesOf(name: string, services: AcpServices): ClientCapabilities | undefined {
  const { fs, terminals, elicitation, clientCapabilities: given } = services;
  checkFunctions(name, "fs", fs, ["readTextFile", "writeTextFile"]);
  checkFunctions(name, "terminals", terminals, ["create", "output", "waitForExit", "kill", "release", "end"]);
  checkFunctions(name, "elicitation", elicitation, ["form", "url"]);
  const offered = {
    fs: { readTextFile: fs?.readTextFile !== undefined, writeTextFile: fs?.writeTextFile !== undefined },
    terminal: terminals !== undefined,
    elicitation: { form: elicitation?.form !== undefined, url: elicitation?.url !== undefined },
  };
  const missing = servicePaths.find((path) => isDeclared(given, path) && !isDeclared(offered, path));
  if (missing !== undefined)
    throw new TypeError(`${name}: clientCapabilities declare ${missing}, but the options do not provide it`);
  if (fs === undefined && terminals === undefined && elicitation === undefined) return given;
  const asked = {
    ...(elicitation?.form && { form: {} }),
    ...(elicitation?.url && { url: {} }),
  };
  return {
    ...(fs && { fs: offered.fs }),
    ...(terminals && { terminal: true }),
    ...(elicitation && { elicitation: asked }),
    ...given,
  };
}

/** The handlers of what is declared. For anything else the agent gets -32601, with the name of the capability. */
export function serviceHandlers(
  { fs, terminals, elicitation }: AcpServices,
  declared: ClientCapabilities | undefined,
  facts: SessionFacts,
  onError: Listeners["onError"],
): Partial<Handlers<Acp, "client">> {
  const contextOf = (sessionId: string, { signal }: HandlerContext): AcpServiceContext => ({
    signal,
    roots: facts.rootsOf(sessionId),
  });
  const read = isDeclared(declared, "fs.readTextFile") ? fs?.readTextFile?.bind(fs) : undefined;
  const write = isDeclared(declared, "fs.writeTextFile") ? fs?.writeTextFile?.bind(fs) : undefined;
  const shell = isDeclared(declared, "terminal") ? terminals : undefined;
  const ask = elicitation && elicitationAsker(elicitation, declared, facts, onError);
  return {
    "fs/read_text_file": read
      ? (params, context) => read(params, contextOf(params.sessionId, context))
      : undeclared("fs/read_text_file"),
    "fs/write_text_file": write
      ? (params, context) => write(params, contextOf(params.sessionId, context)).then(answerOf)
      : undeclared("fs/write_text_file"),
    ...(shell ? terminalHandlers(shell, contextOf) : withoutTerminals()),
    "elicitation/create": ask,
    "elicitation/complete": ({ elicitationId, _meta }) => elicitation?.completed?.(elicitationId, _meta),
  };
}

type ContextOf = (sessionId: string, context: HandlerContext) => AcpServiceContext;

function terminalHandlers(shell: AcpTerminals, contextOf: ContextOf): Partial<Handlers<Acp, "client">> {
  return {
    "terminal/create": (params, context) => shell.create(params, contextOf(params.sessionId, context)),
    "terminal/output": (params, context) => shell.output(params, contextOf(params.sessionId, context)),
    "terminal/wait_for_exit": (params, context) => shell.waitForExit(params, contextOf(params.sessionId, context)),
    "terminal/kill": (params, context) => shell.kill(params, contextOf(params.sessionId, context)).then(answerOf),
    "terminal/release": (params, context) => shell.release(params, contextOf(params.sessionId, context)).then(answerOf),
  };
}

function withoutTerminals(): Partial<Handlers<Acp, "client">> {
  return {
    "terminal/create": undeclared("terminal/create"),
    "terminal/output": undeclared("terminal/output"),
    "terminal/wait_for_exit": undeclared("terminal/wait_for_exit"),
    "terminal/kill": undeclared("terminal/kill"),
    "terminal/release": undeclared("terminal/release"),
  };
}

/** Answers as for a method that does not exist, and names what this client would have to declare. */
function undeclared(method: string): () => never {
  const capability = methodOf(acp, method)?.capability;
  const message = `${method}: this client does not declare the capability ${capability}`;
  return () => {
    throw new RemoteError(ErrorCode.MethodNotFound, message, { method, capability });
  };
}

function elicitationAsker(
  { form, url }: AcpElicitation,
  declared: ClientCapabilities | undefined,
  facts: SessionFacts,
  onError: Listeners["onError"],
): NonNullable<Handlers<Acp, "client">["elicitation/create"]> | undefined {
  const withForm = isDeclared(declared, "elicitation.form") ? form : undefined;
  const withUrl = isDeclared(declared, "elicitation.url") ? url : undefined;
  if (withForm === undefined && withUrl === undefined) return undefined;
  const questions = new Questions<FormElicitation | UrlElicitation, AcpResult<"elicitation/create">>({
    cancelled: { action: "cancel" },
    rejected: { action: "decline" },
    handler: async (question, context) => {
      await facts.turnOf(question.sessionId)?.handed(); // the reader was given what came before it
      if (context.signal.aborted) return undefined;
      return question.mode === "form" ? withForm?.(question, context) : withUrl?.(question, context);
    },
    onError: (error) => onError(error, "elicitation/create", failedToAnswer("elicitation", "the question is declined")),
  });
  return (params, { signal }) => {
    const known = params.mode === "form" ? withForm : params.mode === "url" ? withUrl : undefined;
    if (known === undefined || (params.mode !== "form" && params.mode !== "url"))
      throw RemoteError.invalidParams(`elicitation/create: the mode "${params.mode}" is not declared`);
    const turn = facts.turnOf(params.sessionId);
    return questions.ask(params, turn === undefined ? [signal] : [signal, turn.signal]);
  };
}
