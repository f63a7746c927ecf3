import { serveAcpStdio } from "@editwire/acp/node";

serveAcpStdio({
  whenBusy: "steer",
  async prompt(turn) {
    for (let step = 1; step <= 3; step++) {
      await turn.text(`Step ${step}. `);
      for (const { promptText } of turn.takeSteers()) await turn.text(`Noted: ${promptText}. `);
    }
  },
});
