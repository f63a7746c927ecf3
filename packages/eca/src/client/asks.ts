import type {
  CompletionInlineItem,
  Eca,
  EcaParams,
  EcaResult,
  FeatureError,
  JobSummary,
  LoginAction,
  McpServerUpdatedParams,
  ProviderStatus,
  ResultError,
} from "@editwire/eca-schema";
import { ErrorCode, type ParamsOf, RemoteError, type RequestName, type ResultOf, WireError } from "@editwire/core";
import type { AskOptions } from "@editwire/session";
import type { ClientLink } from "./link.js";

/**
 * The MCP servers of a server. Their status and tools are in the client's `state.toolServers`. An unknown name is
 * ignored.
 */
export interface EcaMcpServers {
  /** Starts a stopped server (#start-mcp-server). */
  start(name: string): Promise<void>;
  /** Stops a server (#stop-mcp-server). */
  stop(name: string): Promise<void>;
  /** Starts a disabled server, now and in the future (`v2026`). */
  enable(name: string): Promise<void>;
  /** Stops a server, now and in the future (`v2026`). */
  disable(name: string): Promise<void>;
  /** Signs in to a server whose status is `requires-auth`; the server opens a browser (`v2026`). */
  login(name: string): Promise<void>;
  /** Forgets the credentials of a server (`v2026`). */
  logout(name: string): Promise<void>;
  /**
   * Adds a server to the configuration, and starts it (`v2026`). `errorWord` of what it throws says why it could not.
   */
  add(server: EcaParams<"mcp/addServer"> & AskOptions): Promise<McpServerUpdatedParams>;
  /** Changes how a server is reached, and starts it again (`v2026`). */
  update(server: EcaParams<"mcp/updateServer"> & AskOptions): Promise<void>;
  /** Removes a server from the configuration (`v2026`). `errorWord` of what it throws says why it could not. */
  remove(name: string, options?: AskOptions): Promise<void>;
}

/** The providers of models, in `v2026`. */
export interface EcaProviders {
  /** Every provider with its models. The client's `state.providers` then has them, and follows their changes. */
  list(options?: AskOptions): Promise<ProviderStatus[]>;
  /** Begins to sign in. Returns what the user has to do; without a `method`, that is to choose one. */
  login(params: EcaParams<"providers/login"> & AskOptions): Promise<LoginAction>;
  /** Sends what the user typed in. Returns what the user has to do next. */
  loginInput(params: EcaParams<"providers/loginInput"> & AskOptions): Promise<LoginAction>;
  /** Signs out. */
  logout(provider: string, options?: AskOptions): Promise<void>;
}

/** The background jobs of a server, in `v2026`. */
export interface EcaJobs {
  /** Every job. The client's `state.jobs` then has them, and follows their changes. */
  list(options?: AskOptions): Promise<JobSummary[]>;
  /** Ends a job. Returns false when it did not run. */
  kill(jobId: string, options?: AskOptions): Promise<boolean>;
  /** Returns what a job wrote lately. */
  readOutput(jobId: string, options?: AskOptions): Promise<EcaResult<"jobs/readOutput">>;
}

/** Asks for the texts to insert at the cursor. */
export type EcaCompleteInline = (
  params: EcaParams<"completion/inline"> & AskOptions,
) => Promise<CompletionInlineItem[]>;

type Asked<N extends RequestName<Eca, "client">> = ParamsOf<Eca, N> & AskOptions;

/** Makes helpers that ask one method and read its answer. */
function asking({ ask }: Pick<ClientLink, "ask">) {
  return <N extends RequestName<Eca, "client">, T>(method: N, read: (result: ResultOf<Eca, N>) => T) =>
    async ({ signal, timeoutMs, ...params }: Asked<N>): Promise<T> =>
      read(await ask(method, params as unknown as ParamsOf<Eca, N>, { signal, timeoutMs }));
}

const nothing = (): void => {};
const same = <T>(result: T): T => result;

/** The helpers for MCP servers. */
export function mcpServers(link: Pick<ClientLink, "ask" | "notify">): EcaMcpServers {
  const asks = asking(link);
  const tells = (method: (typeof named)[keyof typeof named]) => async (name: string) => link.notify(method, { name });
  const remove = asks("mcp/removeServer", ({ error }) => refuse("mcp/removeServer", error));
  return {
    start: tells(named.start),
    stop: tells(named.stop),
    enable: tells(named.enable),
    disable: tells(named.disable),
    login: tells(named.login),
    logout: tells(named.logout),
    add: asks("mcp/addServer", ({ server, error }) => {
      refuse("mcp/addServer", error);
      if (server !== undefined) return server;
      throw new WireError("invalid_result", "mcp/addServer: the answer has neither server nor error");
    }),
    update: asks("mcp/updateServer", nothing),
    remove: (name, options = {}) => remove({ ...options, name }),
  };
}

const named = {
  start: "mcp/startServer",
  stop: "mcp/stopServer",
  enable: "mcp/enableServer",
  disable: "mcp/disableServer",
  login: "mcp/connectServer",
  logout: "mcp/logoutServer",
} as const;

/** The helpers for providers. `onList` is called with every answer to `list`. */
export function providersOf(link: ClientLink, onList: (providers: ProviderStatus[]) => void): EcaProviders {
  const asks = asking(link);
  const list = asks("providers/list", ({ providers }) => (onList(providers), providers));
  const logout = asks("providers/logout", nothing);
  return {
    list: (options = {}) => list(options),
    login: asks("providers/login", same),
    loginInput: asks("providers/loginInput", same),
    logout: (provider, options = {}) => logout({ ...options, provider }),
  };
}

/** The helpers for jobs. `onList` is called with every answer to `list`. */
export function jobsOf(link: ClientLink, onList: (jobs: JobSummary[]) => void): EcaJobs {
  const asks = asking(link);
  const list = asks("jobs/list", ({ jobs }) => (onList(jobs), jobs));
  const kill = asks("jobs/kill", ({ killed }) => killed);
  const readOutput = asks("jobs/readOutput", same);
  return {
    list: (options = {}) => list(options),
    kill: (jobId, options = {}) => kill({ ...options, jobId }),
    readOutput: (jobId, options = {}) => readOutput({ ...options, jobId }),
  };
}

/** The helper for completion at the cursor. */
export function completeInline(link: ClientLink): EcaCompleteInline {
  return asking(link)("completion/inline", (result) => accepted("completion/inline", result).items);
}

/** Throws a `RemoteError` for the error that some results have, with its word where `errorWord` finds it. */
export function refuse(method: string, error: ResultError | undefined): void {
  if (error !== undefined) throw new RemoteError(ErrorCode.InternalError, `${method}: ${error.message}`, error);
}

/** The result, unless it says why there is none: then a `RemoteError`. */
export function accepted<T extends object>(method: string, result: T | FeatureError): T {
  if (!("type" in result && "message" in result)) return result as T;
  throw new RemoteError(ErrorCode.InternalError, `${method}: ${result.message}`, result);
}
