import {
  type ChatContent,
  eca,
  ecaProfiles,
  isServerNotInitialized,
  serverNotInitialized,
  validatorOf,
} from "@editwire/eca-schema";

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
console.log(isServerNotInitialized(serverNotInitialized("chat/prompt")));
