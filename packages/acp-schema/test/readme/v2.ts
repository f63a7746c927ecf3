import { validatorOf } from "@editwire/acp-schema";
import { acpV2, type V2SessionUpdate } from "@editwire/acp-schema/v2";

const titles = new Map<string, string>();

function read(update: V2SessionUpdate): string {
  switch (update.sessionUpdate) {
    case "tool_call_update":
      if (update.title === null) titles.delete(update.toolCallId);
      else if (update.title !== undefined) titles.set(update.toolCallId, update.title);
      return `${titles.get(update.toolCallId) ?? "a tool"}: ${update.status ?? "unchanged"}`;
    case "state_update":
      return update.state === "idle" ? `idle (${update.stopReason ?? "no reason"})` : update.state;
    default:
      return update.sessionUpdate;
  }
}
console.log(read({ sessionUpdate: "tool_call_update", toolCallId: "c-1", title: "Run the tests", status: "paused" }));
console.log(read({ sessionUpdate: "tool_call_update", toolCallId: "c-1" }));
console.log(read({ sessionUpdate: "tool_call_update", toolCallId: "c-1", title: null, status: "completed" }));
console.log(read({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: [] }));

const prompt = validatorOf(acpV2.methods["session/prompt"].result);
console.log(prompt.fits({ messageId: "m-1" }), prompt.fits({ stopReason: "end_turn" }));
