import { serveAcpStdio } from "@editwire/acp/node";

serveAcpStdio({
  info: { name: "my-agent", version: "1.0.0" },
  async prompt(turn) {
    await turn.text("Looking around.");
    const call = await turn.toolCall({ title: "Delete build/", kind: "delete" });
    const { allowed } = await turn.requestPermission(call);
    if (!allowed) return call.fail();
    // … delete it, unless turn.signal is aborted: then the user has cancelled
    await call.complete({ rawOutput: "deleted" });
  },
});
