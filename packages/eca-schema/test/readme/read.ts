import { type ChatContent, eca, ecaProfiles, errorWord } from "@editwire/eca-schema";
import { RemoteError, validatorOf } from "@editwire/core";

const prompt = validatorOf(eca.methods["chat/prompt"].params);
console.log(prompt.fits({ chatId: "c-1", requestId: "1", message: "Hello" }));
console.log(prompt.issues({ message: "Hello", contexts: [{ type: "file" }] }, "params"));

function title(content: ChatContent): string {
  switch (content.type) {
    case "toolCallRun":
      return content.summary ?? content.name;
    case "progress":
      return content.text ?? "";
    default:
      return content.type;
  }
}
console.log(
  title({ type: "toolCallRun", origin: "native", id: "t-1", name: "read_file", arguments: {}, manualApproval: true }),
);

console.log(ecaProfiles.spec.deviations?.find(({ id }) => id === "A7")?.summary);
console.log(errorWord(new RemoteError(-32603, "No such chat", { code: "chat_not_found" })));
