import type { Frame } from "../../../transport/test/raw-socket.js";

/** A first or follow-up message as the specification shows it. */
export function chat(
  request_id: string,
  acp_thread_id: string | null = null,
  message = "Hello",
  helix_session_id = "ses_1",
): Frame {
  return { type: "chat_message", data: { helix_session_id, acp_thread_id, message, request_id } };
}
