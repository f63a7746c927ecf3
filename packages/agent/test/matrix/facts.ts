import { type AgentDefinition, type AgentStopReason, type AgentTurn, RemoteError } from "../../src/index.js";
import type { Fact } from "../../src/mapping/facts.js";
import { scripted } from "../scripted-agent.js";

/** An agent's action for a fact, and the editor's text for it. */
export interface FactScript {
  /** The agent's action when the prompt names the fact. */
  readonly act: (turn: AgentTurn) => Promise<AgentStopReason | void>;
  /** The lines of an editor whose protocol says the fact as it is. */
  readonly exact: readonly string[];
  /** The editor's text if its protocol approximates the fact. */
  readonly loose: RegExp;
}

const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;

async function called(turn: AgentTurn, title: string, change: Omit<Parameters<AgentTurn["toolCall"]>[0], "title">) {
  const { output, ...call } = change;
  await (await turn.toolCall({ title, name: "run", input: {}, ...call })).complete({ output });
}

/** The facts that an agent says by itself in a turn. */
export const factScripts = {
  prompt: {
    act: async (turn) => turn.text(`Asked: ${/fact:prompt/.test(turn.promptText)}.`),
    exact: ["text: Asked: true."],
    loose: /Asked: true/,
  },
  text: { act: async (turn) => turn.text("Looking around."), exact: ["text: Looking around."], loose: /Looking/ },
  content: { act: async (turn) => turn.content(image), exact: ["content: image aGk="], loose: /aGk=|image\/png/ },
  thought: { act: async (turn) => turn.thought("Hm."), exact: ["thought: Hm."], loose: /Hm\./ },
  plan: {
    act: async (turn) => turn.plan([{ content: "Fix it", status: "in_progress" }]),
    exact: ["plan: Fix it in_progress"],
    loose: /Fix it/,
  },
  tool_call: { act: (turn) => called(turn, "Run it", {}), exact: ["tool_call: Run it completed"], loose: /Run it/ },
  tool_kind: { act: (turn) => called(turn, "Kind", { kind: "fetch" }), exact: ["tool_kind: fetch"], loose: /"fetch"/ },
  tool_input: {
    act: (turn) => called(turn, "Input", { input: { n: "in-put" } }),
    exact: ['tool_input: {"n":"in-put"}'],
    loose: /in-put/,
  },
  tool_output: {
    act: (turn) => called(turn, "Output", { output: "out-put" }),
    exact: ["tool_output: out-put"],
    loose: /out-put/,
  },
  tool_diff: {
    act: (turn) => called(turn, "Diff", { diff: { path: "/p/a.ts", oldText: "before\n", newText: "after-diff\n" } }),
    exact: ["tool_diff: after-diff"],
    loose: /after-diff/,
  },
  tool_terminal: {
    act: (turn) => called(turn, "Shell", { contents: [{ type: "terminal", terminalId: "t", output: "it-wrote" }] }),
    exact: [],
    loose: /it-wrote/,
  },
  tool_locations: {
    act: (turn) => called(turn, "Places", { locations: [{ path: "/p/located.ts", line: 7 }] }),
    exact: ["tool_locations: /p/located.ts:7"],
    loose: /located\.ts/,
  },
  tool_rejected: {
    act: async (turn) => (await turn.toolCall({ title: "Left out", name: "run", input: {} })).reject(),
    exact: ["tool_rejected: Left out"],
    loose: /Left out/,
  },
  tool_cancelled: {
    act: async (turn) => (await turn.toolCall({ title: "Off", name: "run", input: {} })).change("cancelled", {}),
    exact: ["tool_cancelled: Off"],
    loose: /Off/,
  },
  permission: {
    async act(turn) {
      const { allowed } = await turn.requestPermission(await turn.toolCall({ title: "May it", name: "m", input: {} }));
      await turn.text(allowed ? "Allowed." : "Refused.");
    },
    exact: ["permission: May it", "text: Allowed."],
    loose: /^permission: May it/m,
  },
  permission_options: {
    async act(turn) {
      const call = await turn.toolCall({ title: "Options", name: "o", input: {} });
      await turn.requestPermission(call, [
        { optionId: "y", name: "Yes, now", kind: "allow_once" },
        { optionId: "n", name: "No", kind: "reject_once" },
      ]);
    },
    exact: ["permission_options: Yes, now/No"],
    loose: /^permission_options: /m,
  },
  question: {
    async act(turn) {
      const answer = await turn.ask("Which one?", { options: ["left", "right"], allowFreeform: false });
      await turn.text(`Answer: ${answer}.`);
    },
    exact: ["question: Which one? left/right", "text: Answer: right."],
    loose: /Which one\?/,
  },
  question_freeform: {
    act: async (turn) => turn.text(`Answer: ${await turn.ask("What name?")}.`),
    exact: ["question: What name? ", "text: Answer: words."],
    loose: /What name\?/,
  },
  usage_context: {
    act: async (turn) => turn.usage({ context: { used: 12_345, size: 200_000 } }),
    exact: ["usage_context: 12345/200000"],
    loose: /12345/,
  },
  usage_tokens: {
    act: async (turn) => turn.usage({ inputTokens: 678_901, outputTokens: 90 }),
    exact: ["usage_tokens: 678901/90"],
    loose: /678901/,
  },
  usage_cost: {
    act: async (turn) => turn.usage({ context: { used: 1, size: 9 }, sessionCost: { amount: 2.5, currency: "USD" } }),
    exact: ["usage_cost: 2.5"],
    loose: /2\.5/,
  },
  mode: { act: async (turn) => turn.session.setMode("plan"), exact: ["mode: plan"], loose: /^mode: plan/m },
  config_options: {
    act: async (turn) => turn.session.setConfigOption("model", "large"),
    exact: ["config_options: large"],
    loose: /^config_options: large/m,
  },
  commands: { act: async () => {}, exact: ["commands: review-it"], loose: /review-it/ },
  info: { act: async (turn) => turn.send({ type: "info", title: "Named" }), exact: ["info: Named"], loose: /Named/ },
  notice: { act: async (turn) => turn.notice("Low tokens"), exact: ["notice: Low tokens"], loose: /Low tokens/ },
  editor_files: {
    act: async (turn) => turn.text(`Read: ${await turn.editor?.readTextFile("/p/a.ts").catch(() => "refused")}.`),
    exact: ["text: Read: lent."],
    loose: /Read: lent/,
  },
  editor_terminals: {
    async act(turn) {
      const terminal = await turn.editor?.createTerminal({ command: "make" }).catch(() => undefined);
      await turn.text(`Ran: ${(await terminal?.waitForExit())?.exitCode}.`);
    },
    exact: ["text: Ran: 7."],
    loose: /Ran: 7/,
  },
  stop: { act: async () => "refusal", exact: ["stop: refusal"], loose: /refusal/i },
  stop_error: {
    async act() {
      throw new RemoteError(-32_000, "Out of tokens", { retry: false });
    },
    exact: ["stop_error: Out of tokens"],
    loose: /Out of tokens/,
  },
} satisfies Partial<Record<Fact, FactScript>>;

/** A fact that has a script. */
export type ScriptedFact = keyof typeof factScripts;

const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

/** Further actions of the agent. */
const acts: Readonly<Record<string, (turn: AgentTurn) => Promise<void>>> = {
  say: async (turn) => turn.text("Working."),
  async later({ session }) {
    void session.prompt("do:elsewhere", { whenBusy: "queue" });
  },
  elsewhere: async (turn) => turn.text("From elsewhere."),
  wait: (turn) => until(turn.signal),
  async steered(turn) {
    const [text] = await new Promise<string[]>((resolve) => {
      turn.onSteer(() => resolve(turn.takeSteers().map((steer) => steer.text)));
    });
    await turn.text(`Steered: ${text}.`);
  },
  async tool(turn) {
    await (await turn.toolCall({ title: "Long tool", name: "run", input: {} })).start();
    await until(turn.signal);
  },
  async crash() {
    throw new Error("a secret of the agent");
  },
  async settings({ session }) {
    await session.send({
      type: "text",
      text: `Mode ${session.modeId}, model ${session.configOptions[0]?.currentValue}.`,
    });
  },
};

/** The agent behind every cell. Its prompts name what it does, such as `fact:plan` and `do:wait`. */
export const matrixAgent: AgentDefinition = {
  ...scripted,
  info: { name: "matrix", version: "1.0.0" },
  configOptions: [
    ...(scripted.configOptions ?? []),
    { id: "speed", name: "Speed", type: "boolean", currentValue: false },
  ],
  commands: [{ name: "review-it", description: "Reviews the changes" }],
  accepts: ["image", "resource"],
  whenBusy: "steer",
  async prompt(turn) {
    let end: AgentStopReason | void = undefined;
    for (const [, kind, name = ""] of turn.promptText.matchAll(/(fact|do):([a-z_]+)/g))
      end = (await (kind === "fact" ? factScripts[name as ScriptedFact].act(turn) : acts[name]?.(turn))) ?? end;
    return end;
  },
};
