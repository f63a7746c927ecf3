import { connect, type Diagnostic } from "@editwire/core";
import { helixZed, helixZedEnvelope } from "@editwire/helix-zed-schema";
import { taggedPeer } from "@editwire/peer";
import type { Transport } from "@editwire/transport";
import type { HostConnection, HostContext } from "./context.js";
import type { HostEvents } from "./events.js";

/** Connects to an agent. Its events are handled by `deliver`. */
export function hostConnection(
  transport: Transport,
  context: HostContext,
  deliver: (handle: (events: HostEvents) => void | Promise<void>) => void | Promise<void>,
): HostConnection {
  const { connect: common, peer } = context.split;
  const wire = { protocol: helixZed, self: "host", envelope: helixZedEnvelope } as const;
  return connect(
    helixZed,
    "host",
    taggedPeer(transport, wire, { ...peer, strict: common.strict }),
    {
      context_created: (params) => deliver((events) => events.threadCreated(params)),
      thread_created: (params) => deliver((events) => events.threadCreated(params)),
      message_added: (params) => deliver((events) => events.messageAdded(params)),
      message_completed: (params) => deliver((events) => events.messageCompleted(params)),
      turn_cancelled: (params) => deliver((events) => events.turnCancelled(params)),
      chat_response_error: (params) => deliver((events) => events.turnFailed(params)),
      thread_load_error: (params) => deliver((events) => events.threadFailed(params)),
      agent_ready: () => deliver((events) => events.ready()),
      thread_title_changed: (params) => deliver((events) => events.titleChanged(params)),
      user_created_thread: (params) => deliver((events) => events.userThread(params)),
      ping: () => {},
      chat_response: (params) => deliver((events) => events.chatResponse(params)),
      chat_response_chunk: (params) => deliver((events) => events.chatResponseChunk(params)),
      chat_response_done: (params) => deliver((events) => events.chatResponseDone(params)),
      context_title_changed: ({ context_id: acp_thread_id, new_title: title, ...params }) =>
        deliver((events) => events.titleChanged({ ...params, acp_thread_id, title })),
      message_updated: () => {}, // it has no text; the next message_added has it
    },
    { ...common, profile: context.profile, onDiagnostic: onceForSilentAgents(context.split.onDiagnostic) },
  );
}

/** Zed names no session in any event: one report a connection is enough. */
function onceForSilentAgents(report: (diagnostic: Diagnostic) => void): (diagnostic: Diagnostic) => void {
  let isReported = false;
  return (diagnostic) => {
    if (diagnostic.id === "no-session") {
      if (isReported) return;
      isReported = true;
    }
    report(diagnostic);
  };
}
