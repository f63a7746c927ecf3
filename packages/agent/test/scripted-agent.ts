import { authRequired } from "@editwire/acp";
import { type AgentDefinition, type AgentTurn, RemoteError } from "../src/index.js";

/** An agent that does what the words of its prompt say, one after the other. */
export const scripted: AgentDefinition = {
  info: { name: "scripted", version: "1.0.0" },
  modes: {
    currentModeId: "build",
    availableModes: [
      { id: "build", name: "build" },
      { id: "plan", name: "plan" },
    ],
  },
  configOptions: [
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: "small",
      options: [
        { value: "small", name: "Small" },
        { value: "large", name: "Large" },
      ],
    },
  ],
  commands: [{ name: "review", description: "Reviews the changes" }],
  cancelGraceMs: 1_000,
  async prompt(turn) {
    for (const word of turn.promptText.split(" ")) await steps[word]?.(turn);
  },
};

/** The same agent, which opens no session before the user has signed in. */
export function locked(refused: "newSession" | "prompt" = "newSession"): AgentDefinition {
  let isSignedIn = false;
  return {
    ...scripted,
    authMethods: [
      { id: "account", name: "Account" },
      { id: "shell", name: "Shell", type: "terminal", args: ["login"] },
    ],
    authenticate(methodId) {
      if (methodId !== "account") throw RemoteError.invalidParams("unknown method");
      isSignedIn = true;
    },
    newSession() {
      if (refused === "newSession" && !isSignedIn) throw authRequired();
    },
    prompt(turn) {
      if (!isSignedIn) throw authRequired();
      return scripted.prompt(turn);
    },
  };
}

/** The action for each word of a prompt. */
const steps: Readonly<Record<string, (turn: AgentTurn) => unknown>> = {
  say: (turn) => turn.text("Looking around."),
  think: (turn) => turn.thought("Hm."),
  plan: (turn) => turn.plan([{ content: "Fix it", status: "in_progress" }]),
  async edit(turn) {
    const call = await turn.toolCall({
      title: "Edit a.ts",
      kind: "edit",
      name: "apply_change",
      input: { path: "/p/a.ts" },
      diff: { path: "/p/a.ts", oldText: "a", newText: "b" },
    });
    const { allowed } = await turn.requestPermission(call);
    if (allowed) await call.complete({ output: "done" });
    await turn.text(allowed ? "Edited." : "Left as it was.");
  },
  async ask(turn) {
    const answer = await turn.ask("Which one?", { options: ["left", "right"] });
    await turn.text(`Answer: ${answer ?? "none"}.`);
  },
  usage: (turn) =>
    turn.usage({
      inputTokens: 10,
      outputTokens: 5,
      context: { used: 100, size: 1_000 },
      sessionCost: { amount: 0.5, currency: "USD" },
    }),
  notice: (turn) => turn.notice("Low on tokens", "warning"),
  title: (turn) => turn.send({ type: "info", title: "The title" }),
  plain(turn) {
    turn.session.setMode("plan");
  },
  async tool(turn) {
    const call = await turn.toolCall({
      title: "Run tests",
      kind: "execute",
      name: "shell",
      input: { command: "test" },
    });
    await call.start();
    await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
  },
  wait: (turn) => new Promise((resolve) => turn.signal.addEventListener("abort", resolve)),
  async steers(turn) {
    while (!turn.signal.aborted) {
      const [steer] = turn.takeSteers();
      if (steer !== undefined) return turn.text(`Steered: ${steer.text}.`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },
  fail() {
    throw new RemoteError(-32_000, "Out of tokens", { retry: false });
  },
  /** Kills the process, once its output has left it. */
  die() {
    setImmediate(() => process.kill(process.pid, "SIGKILL"));
    return new Promise(() => {});
  },
  crash() {
    throw new Error("a secret of the agent");
  },
};
