import type { PlanEntry, ToolCallUpdate } from "@editwire/acp-schema";
import type { TurnClient } from "../../src/turn.js";

/** What a turn showed, in order. */
export type Shown =
  | { readonly type: "text" | "thought"; readonly text: string }
  | { readonly type: "plan"; readonly entries: PlanEntry[] }
  | { readonly type: "usage"; readonly used: number; readonly size: number }
  | {
      readonly type: "call" | "update" | "complete" | "fail";
      readonly id: string;
      readonly what: Readonly<Record<string, unknown>>;
    };

/** A client's side of a turn that records what it is shown, and answers questions as told. */
export interface FakeTurn extends TurnClient {
  readonly shown: Shown[];
  readonly asked: ToolCallUpdate[];
  readonly controller: AbortController;
}

/** How the user of a fake turn behaves. */
export interface FakeUser {
  /** Default: everything is allowed. */
  readonly allow?: (call: ToolCallUpdate, turn: FakeTurn) => boolean;
  readonly onText?: (text: string, turn: FakeTurn) => void;
  readonly onCall?: (turn: FakeTurn) => void;
}

/** Starts a fake turn. */
export function fakeTurn({ allow = () => true, onText, onCall }: FakeUser = {}): FakeTurn {
  const controller = new AbortController();
  const shown: Shown[] = [];
  const asked: ToolCallUpdate[] = [];
  const turn: FakeTurn = {
    shown,
    asked,
    controller,
    signal: controller.signal,
    text(text) {
      shown.push({ type: "text", text });
      onText?.(text, turn);
    },
    thought: (text) => void shown.push({ type: "thought", text }),
    plan: (entries) => void shown.push({ type: "plan", entries }),
    usage: ({ used, size }) => void shown.push({ type: "usage", used, size }),
    async toolCall(call) {
      const id = `call-${shown.length}`;
      shown.push({ type: "call", id, what: { ...call } });
      onCall?.(turn);
      const record =
        (type: "update" | "complete" | "fail") =>
        (change = {}) =>
          void shown.push({ type, id, what: { ...change } });
      return { toolCallId: id, update: record("update"), complete: record("complete"), fail: record("fail") };
    },
    async requestPermission(toolCall) {
      if (!("status" in toolCall)) throw new TypeError("The agent asks with the whole call");
      asked.push(toolCall);
      const allowed = allow(toolCall, turn);
      if (controller.signal.aborted) return { outcome: "cancelled", allowed: false };
      const kind = allowed ? "allow_once" : "reject_once";
      return { outcome: "selected", optionId: kind, kind, allowed };
    },
  };
  return turn;
}

/** Everything that the agent said, joined. */
export function textOf({ shown }: FakeTurn): string {
  return shown.map((item) => (item.type === "text" ? item.text : "")).join("");
}

/** The titles of the shown calls, each with how it ended. */
export function callsOf({ shown }: FakeTurn): string[] {
  return shown.flatMap((item) => {
    if (item.type !== "call") return [];
    const end = shown.find((other) => (other.type === "complete" || other.type === "fail") && other.id === item.id);
    return [`${String(item.what["title"])}: ${end?.type ?? "open"}`];
  });
}
