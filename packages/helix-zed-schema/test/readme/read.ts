import { helixZed, type HelixZedParams, helixZedProfiles, validatorOf } from "@editwire/helix-zed-schema";

const chat = validatorOf(helixZed.methods.chat_message.params);
console.log(chat.fits({ helix_session_id: "ses_1", acp_thread_id: null, message: "Hello", request_id: "req_1" }));
console.log(chat.issues({ helix_session_id: "ses_1", acp_thread_id: null, message: "Hello" }, "params"));

const answer = (added: HelixZedParams<"message_added">): string => `${added.message_id}: ${added.content}`;
console.log(
  answer({
    session_id: "ses_1",
    acp_thread_id: "t-1",
    message_id: "ai_msg_1",
    role: "assistant",
    content: "Hello!",
    timestamp: Math.floor(Date.now() / 1_000),
  }),
);

console.log(helixZedProfiles.spec.deviations?.find(({ id }) => id === "no-session")?.summary);
