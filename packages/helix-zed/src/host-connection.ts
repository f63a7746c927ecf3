import { connect, type Connection } from "@editwire/core";
import { type HelixZed, helixZed, helixZedEnvelope, helixZedProfiles } from "@editwire/helix-zed-schema";
import { taggedPeer } from "@editwire/peer";
import type { Transport } from "@editwire/transport";
import type { HostEvents } from "./host-events.js";
import type { HelixHostOptions } from "./host-options.js";

/** One agent's socket, from the host's side. */
export type HostConnection = Connection<HelixZed, "host">;

/** Speaks with an agent; what it says is handled by `deliver`. */
export function hostConnection(
  transport: Transport,
  options: HelixHostOptions,
  deliver: (handle: (events: HostEvents) => void | Promise<void>) => void | Promise<void>,
): HostConnection {
  const { profile = helixZedProfiles.spec, strict, onDiagnostic, onError } = options;
  const peer = taggedPeer(transport, { protocol: helixZed, self: "host", envelope: helixZedEnvelope }, { strict });
  return connect(
    helixZed,
    "host",
    peer,
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
    },
    { profile, strict, onDiagnostic, onError },
  );
}
