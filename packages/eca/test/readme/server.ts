import { serveEcaStdio } from "@editwire/eca/node";

serveEcaStdio({
  initialize: () => ({ models: ["my-model"], welcomeMessage: "What shall we do?" }),
  async prompt(turn) {
    await turn.text("Looking around.");
    const call = await turn.toolCall({
      name: "delete_folder",
      arguments: { path: "build" },
      title: "Deleting build/",
      manualApproval: true,
    });
    if (!call.allowed) return;
    // … delete it, unless turn.signal is aborted: then the user has cancelled
    await call.complete("deleted");
  },
});
