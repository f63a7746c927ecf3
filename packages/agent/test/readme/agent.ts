import { serveAcpStdio } from "@editwire/acp/node";
import { createAgent, toAcp } from "@editwire/agent";

const agent = createAgent({
  info: { name: "my-agent", version: "1.0.0" },
  async prompt(turn) {
    await turn.text("Looking around.");
    await turn.plan([{ content: "Fix it", status: "in_progress" }]);
    const diff = { path: `${turn.session.cwd}/a.ts`, oldText: "let a = 1", newText: "const a = 1" };
    const call = await turn.toolCall({ title: "Edit a.ts", kind: "edit", name: "apply_change", diff });
    const { allowed } = await turn.requestPermission(call);
    if (allowed) await call.complete({ output: "done" });
    const answer = await turn.ask("Run the tests?", { options: ["yes", "no"] });
    await turn.text(answer === "yes" ? "They pass." : "Not run.");
  },
});

serveAcpStdio(toAcp(agent));
