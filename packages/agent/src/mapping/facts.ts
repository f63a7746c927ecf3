/** The facts that an agent can report, which each mapping covers. */
export const facts = {
  prompt: "the prompt: its text, links, images and resources",
  text: "text of the answer",
  content: "images, audio and resources in the answer",
  thought: "thoughts",
  plan: "the plan",
  tool_call: "a tool call: its title and status",
  tool_kind: "the kind of a tool call, such as `edit`, and the name of its tool",
  tool_input: "what a tool was called with",
  tool_output: "what a tool returned",
  tool_diff: "the diff of a tool call",
  tool_terminal: "the command of a tool call, with its output",
  tool_locations: "the places that a tool call touches",
  tool_rejected: "that the user rejected a tool call",
  tool_cancelled: "that a tool call was cancelled with its turn",
  permission: "asking whether a tool may run",
  permission_options: "the options of a permission request, with their names",
  question: "asking the user, with options",
  question_freeform: "asking the user for words of their own",
  usage_context: "how full the context is",
  usage_tokens: "the tokens of an answer",
  usage_cost: "the cost",
  mode: "the modes, the current one, and its change by either side",
  config_options: "settings that the user can change",
  commands: "commands that the user can type",
  info: "the session's title",
  notice: "messages of the agent itself",
  stop: "why a turn ended",
  stop_error: "the error of a turn",
  cancel: "cancelling a turn",
  steer: "adding a message to a running turn",
  foreign_turn: "a turn that another protocol prompted: its prompt, its events and its end",
  history: "the earlier messages of a session",
  sessions: "listing and deleting sessions",
  rewind: "deleting the messages, going back to a prompt, and copying a session up to one",
  editor_files: "the files of the editor, which it lends the agent",
  editor_terminals: "the terminals of the editor, which it lends the agent",
  sign_in: "signing in to the agent",
} as const;

/** The name of one row of the mapping table. */
export type Fact = keyof typeof facts;

/** How a protocol says a fact. */
export interface Saying {
  /** `said` as it is, `approximated` by something else, or `not_said`. The last two are reported. */
  readonly how: "said" | "approximated" | "not_said";
  /** By which message of the protocol; for `not_said`, why not. */
  readonly as: string;
  /** The form for a peer that did not declare what this one takes. */
  readonly otherwise?: Saying | undefined;
}

/** One column of the mapping table. */
export type ProtocolMapping = Readonly<Record<Fact, Saying>>;

/** A fact that the protocol has a message for. */
export function said(as: string, otherwise?: Saying): Saying {
  return { how: "said", as, ...(otherwise && { otherwise }) };
}

/** A fact that another message expresses. */
export function approximated(as: string, otherwise?: Saying): Saying {
  return { how: "approximated", as, ...(otherwise && { otherwise }) };
}

/** A fact that a protocol cannot say. */
export function notSaid(why: string): Saying {
  return { how: "not_said", as: why };
}
