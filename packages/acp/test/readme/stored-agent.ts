import { fileSessionStore, serveAcpStdio } from "@editwire/acp/node";

serveAcpStdio({
  info: { name: "my-agent", version: "1.0.0" },
  sessions: fileSessionStore(process.argv[2] ?? "sessions"), // or memorySessionStore() of @editwire/acp
  async restoreSession(session) {
    session.state.set("history", await session.history()); // the messages so far, for the model
  },
  async prompt(turn) {
    if (turn.session.title === undefined) await turn.session.setTitle([...turn.promptText].slice(0, 60).join(""));
    await turn.text(`You said: ${turn.promptText}`);
  },
});
