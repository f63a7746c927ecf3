import { connect, type Diagnostic, isWireError, type WireError, WireError as LocalError } from "@editwire/core";
import { smanProfiles, type SmanToolInputs, type SmanToolName, sman, type ToolCallParams } from "@editwire/sman-schema";
import { taggedPeer } from "@editwire/peer";
import type { AskOptions, SplitOptions } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { SmanBackendOptions, SmanSite } from "./backend-options.js";
import { Conversation } from "./conversation.js";
import { failureReader } from "./tool-failure.js";
import { type BackendConnection, backendWire } from "./wire.js";

/** What a tool answered. */
export interface SmanToolAnswer {
  /** The tool's text; empty if it sent none. `resultAsJson` reads it as JSON. */
  readonly result: string;
  /** Milliseconds that the tool took. */
  readonly executionTime: number | undefined;
}

/** A plugin that is connected, and the tools of its IDE. */
export interface SmanIde extends SmanSite {
  /** The backend's id of this connection; every call carries it. */
  readonly webSocketSessionId: string;
  readonly mode: string;
  /**
   * Calls a tool. `projectKey` and `webSocketSessionId` are those of the connection. Rejects with the tool's text in a
   * `RemoteError` if the tool failed, or with a `WireError`: `invalid_params` before anything is sent, `timeout` after
   * `timeoutMs` (default 30,000), `aborted`, `overloaded`, `closed`, `invalid_result`. There is no message for
   * canceling a call: after `timeout`, `aborted` and `closed`, `apply_change` may still have been applied.
   */
  call<Tool extends SmanToolName>(
    tool: Tool,
    params: SmanToolInputs[Tool],
    options?: AskOptions,
  ): Promise<SmanToolAnswer>;
  /** Sends another message, such as `STREAMING_CONTENT`. Profile `v2`. Returns a promise only when the peer is slow. */
  notify: BackendConnection["notify"];
  /** Closes the connection; its pending calls reject with `closed`. */
  close(): Promise<void>;
  /** Resolves, never rejects, with the reason once the connection is closed from either end. */
  readonly closed: Promise<Error>;
}

/** Connects to a plugin whose transport is open. */
export function openIde(
  transport: Transport,
  { sessionId, projectKey, projectPath, mode = "agent" }: SmanSite,
  options: SmanBackendOptions,
  split: SplitOptions,
): SmanIde {
  const { profile = smanProfiles.spec, strict = false, timeoutMs: usualMs = 30_000, maxCalls = 10_000 } = options;
  const webSocketSessionId = crypto.randomUUID();
  const talk = new Conversation(options, split);
  const onDiagnostic = (diagnostic: Diagnostic): void => talk.diagnostic(diagnostic);
  const newId = idsOf(webSocketSessionId);
  const peer = taggedPeer(transport, backendWire, {
    ...split.peer,
    maxCalls,
    strict,
    newId: (_call, params) => newId((params as ToolCallParams).toolName),
    readFailure: failureReader(profile, strict, split.onDiagnostic),
    strayReply: (id) => `⚠️ 未找到对应的工具调用: toolCallId=${typeof id === "string" ? id : ""}`,
  });
  const connection = connect(sman, "backend", peer, profile.traits.conversation ? talk.handlers : {}, {
    ...split.connect,
    profile,
    onDiagnostic,
    onError: (error, method) => talk.error(error, method),
  });

  const ide: SmanIde = {
    sessionId,
    projectKey,
    projectPath,
    mode,
    webSocketSessionId,
    async call(tool, params, { signal, timeoutMs = usualMs } = {}) {
      // The own fields first: a field that is added to a copy makes it an object that is slow to check and to write.
      const whole = { projectKey, webSocketSessionId, ...params };
      whole.projectKey = projectKey;
      whole.webSocketSessionId = webSocketSessionId;
      const call = { toolName: tool, params: whole, webSocketSessionId };
      try {
        const answer = await connection.request("TOOL_CALL", call as unknown as ToolCallParams, {
          signal,
          timeoutMs,
          settle: "now",
        });
        return { result: answer.result ?? "", executionTime: answer.executionTime };
      } catch (error) {
        throw isWireError(error) ? ofTool(error, tool) : error;
      }
    },
    notify: (name, params) => connection.notify(name, params),
    close: () => connection.close(),
    closed: connection.closed,
  };
  talk.open(ide);
  return ide;
}

/**
 * Makes ids: the tool, the beginning of the connection's id, the time, and a number that tells calls of one ms apart.
 */
function idsOf(webSocketSessionId: string): (tool: string) => string {
  const connection = webSocketSessionId.slice(0, 8);
  let calls = 0;
  return (tool) => `${tool}-${connection}-${Date.now()}-${(calls += 1)}`;
}

/** The same error, with the name of the tool in its text. */
function ofTool(error: WireError, tool: string): WireError {
  const message = error.message.replace(/^TOOL_CALL: /, `${tool}: `).replaceAll("params.params.", "params.");
  return new LocalError(error.code, message, { cause: error.cause ?? error, data: error.data });
}
