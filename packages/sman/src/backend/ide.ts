import { connect, type Diagnostic, isWireError, type WireError, WireError as LocalError } from "@editwire/core";
import { sman, type SmanParams, smanProfiles } from "@editwire/sman-schema";
import { taggedPeer } from "@editwire/peer";
import type { SplitOptions } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import type { SmanBackendOptions, SmanIde, SmanSite } from "./api.js";
import { Conversation } from "./conversation.js";
import { failureReader } from "./tool-failure.js";
import { backendWire } from "../shared/peer.js";

/** Connects to a plugin whose transport is open. */
export function openIde(
  transport: Transport,
  { sessionId, projectKey, projectPath, mode = "agent", caller }: SmanSite,
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
    newId: (_call, params) => newId((params as SmanParams<"TOOL_CALL">).toolName),
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
    caller,
    webSocketSessionId,
    async call(tool, params, { signal, timeoutMs = usualMs } = {}) {
      // The own fields first: a field that is added to a copy makes it an object that is slow to check and to write.
      const whole = { projectKey, webSocketSessionId, ...params };
      whole.projectKey = projectKey;
      whole.webSocketSessionId = webSocketSessionId;
      const call = { toolName: tool, params: whole, webSocketSessionId };
      try {
        const answer = await connection.request("TOOL_CALL", call as unknown as SmanParams<"TOOL_CALL">, {
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
