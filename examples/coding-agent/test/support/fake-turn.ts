import type { AgentEvent, AgentPermission, SessionView } from "@editwire/agent";

/** The view of a user who prompts one turn: it records what it is shown, and answers questions as told. */
export interface FakeTurn extends SessionView {
  readonly shown: AgentEvent[];
  /** The calls that the user was asked about, as they were then. */
  readonly asked: AgentPermission["toolCall"][];
  readonly controller: AbortController;
}

/** How the user of a fake turn behaves. */
export interface FakeUser {
  /** Default: everything is allowed. */
  readonly allow?: (call: AgentPermission["toolCall"], turn: FakeTurn) => boolean | Promise<boolean>;
  readonly onText?: (text: string, turn: FakeTurn) => void;
  readonly onCall?: (turn: FakeTurn) => void;
}

/** Starts a fake turn. */
export function fakeTurn({ allow = () => true, onText, onCall }: FakeUser = {}): FakeTurn {
  const announced = new Set<string>();
  const turn: FakeTurn = {
    name: "test",
    shown: [],
    asked: [],
    controller: new AbortController(),
    event(event) {
      turn.shown.push(event);
      if (event.type === "text") onText?.(event.text, turn);
      if (event.type !== "tool_call" || announced.has(event.toolCall.toolCallId)) return;
      announced.add(event.toolCall.toolCallId);
      onCall?.(turn);
    },
    async permission({ toolCall }) {
      turn.asked.push(toolCall);
      return (await allow(toolCall, turn)) ? "allow_once" : "reject_once";
    },
  };
  return turn;
}

/** Everything that the agent said, joined. */
export function textOf({ shown }: FakeTurn): string {
  return shown.map((event) => (event.type === "text" ? event.text : "")).join("");
}

/** The titles of the shown calls, each with how it ended. */
export function callsOf({ shown }: FakeTurn): string[] {
  const calls = new Map<string, string>();
  for (const event of shown)
    if (event.type === "tool_call")
      calls.set(event.toolCall.toolCallId, `${event.toolCall.title}: ${event.toolCall.status}`);
  return [...calls.values()];
}
