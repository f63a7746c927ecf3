import {
  acp,
  acpProfiles,
  isSessionNotFound,
  sessionNotFound,
  type SessionUpdate,
  validatorOf,
} from "@editwire/acp-schema";

const prompt = validatorOf(acp.methods["session/prompt"].params);
console.log(prompt.fits({ sessionId: "s-1", prompt: [{ type: "text", text: "Hello" }] }));
console.log(prompt.issues({ sessionId: "s-1", prompt: [{ type: "text" }] }, "params"));

function title(update: SessionUpdate): string {
  switch (update.sessionUpdate) {
    case "tool_call":
      return update.title;
    case "plan":
      return update.entries.map(({ content }) => content).join(", ");
    default:
      return update.sessionUpdate;
  }
}
console.log(title({ sessionUpdate: "tool_call", toolCallId: "c-1", title: "Run the tests", status: "in_progress" }));

console.log(acpProfiles.spec.deviations?.find(({ id }) => id === "D16")?.summary);
console.log(isSessionNotFound(sessionNotFound("s-1")));
