import { serveKaiakStdio } from "@editwire/kaiak/node";

serveKaiakStdio({
  async prompt(turn) {
    for (const [index, incident] of turn.incidents.entries()) {
      const percentage = Math.round((100 * index) / turn.incidents.length);
      await turn.progress({ percentage, phase: "fixing", description: incident.message });
      const change = { file_path: "src/A.java", operation: "modify", diff: "-old\n+new", risk_level: "low" };
      const answer = await turn.proposeFileModification(change, { defaultResponse: "deny", timeoutMs: 60_000 });
      await turn.text(answer === "approve" ? "Applied." : "Left alone.");
    }
  },
});
