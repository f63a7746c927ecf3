import type { AcpToolCallState, AcpTurnEvent } from "@editwire/acp";
import type { SessionUpdate } from "@editwire/acp-schema";
import { describe, expect, test } from "vitest";
import { Screen } from "../src/screen.js";
import { createTurnView } from "../src/turn-view.js";
import { plain } from "./looks.js";

const update = { sessionUpdate: "test" } as never as SessionUpdate;

function setUp(verbose = false) {
  let text = "";
  const labels: string[] = [];
  const screen = new Screen({ write: (chunk) => ((text += chunk), true), once: () => {}, columns: 80 });
  const wait = screen.wait.bind(screen);
  screen.wait = (label) => {
    if (label !== undefined && label !== labels.at(-1)) labels.push(label);
    wait(label);
  };
  const view = createTurnView(screen, plain, verbose);
  return { view, labels, text: () => text };
}

function toolCall(fields: Partial<AcpToolCallState>): AcpTurnEvent {
  const nothing = { kind: "edit", content: [], locations: [], rawInput: undefined, rawOutput: undefined };
  return {
    type: "tool_call",
    update,
    toolCall: { toolCallId: "1", title: "Edit a.js", status: "in_progress", ...nothing, ...fields },
  };
}

const diff = { type: "diff", path: "/work/a.js", oldText: "old\n", newText: "new\n" } as const;

test("a tool call is waited for while it runs, and printed once when it ends", () => {
  const { view, labels, text } = setUp();
  view.begin();
  view.show(toolCall({ status: "pending" }));
  view.show(toolCall({}));
  view.show(toolCall({ toolCallId: "2", title: "Read b.js", kind: "read" }));
  expect(text()).toBe("");
  view.show(toolCall({ toolCallId: "2", title: "Read b.js", kind: "read", status: "completed" }));
  view.show(toolCall({ status: "completed" }));
  view.show(toolCall({ status: "completed" }));
  expect(text()).toBe("✓ read      Read b.js\n✓ edit      Edit a.js\n");
  expect(labels).toEqual([
    "working",
    "edit      Edit a.js",
    "edit      Edit a.js  and 1 more",
    "edit      Edit a.js",
    "working",
  ]);
  expect(view.finish()).toBe(2);
});

describe("a command that the agent runs in a terminal of its own", () => {
  const content = [{ type: "terminal", terminalId: "call_1" }] as const;
  const command = (fields: Partial<AcpToolCallState>, meta?: object): AcpTurnEvent => ({
    ...(toolCall({ kind: "execute", title: "npm test", content, ...fields }) as AcpTurnEvent & { type: "tool_call" }),
    update: { sessionUpdate: "tool_call_update", toolCallId: "1", _meta: meta } as SessionUpdate,
  });

  test.each(["terminal_output", "terminal_output_delta"])("is shown with its %s and its exit code", (name) => {
    const { view, text } = setUp();
    view.show(command({}, { terminal_info: { terminal_id: "call_1" } }));
    view.show(command({}, { [name]: { data: "one\u001b[31m\n", terminal_id: "call_1" } }));
    view.show(command({}, { [name]: { data: "two\n", terminal_id: "call_1" } }));
    view.show(command({ status: "failed" }, { terminal_exit: { exit_code: 2, terminal_id: "call_1" } }));
    expect(text()).toBe("✗ execute   npm test\n  │ one\n  │ two\n  │ exit code 2\n");
  });

  test("is shown without an id when nothing is known, and with the exit code of its output", () => {
    const { view, text } = setUp();
    view.show(command({ status: "completed" }));
    view.show(command({ toolCallId: "2", status: "failed", content: [], rawOutput: { exit_code: 1 } }));
    expect(text()).toBe("✓ execute   npm test\n✗ execute   npm test\n  │ exit code 1\n");
  });
});

test("a call that never ends is shown as it stood, at the end of the turn", () => {
  const { view, text } = setUp();
  view.begin();
  view.show(toolCall({}));
  expect(view.finish()).toBe(1);
  expect(text()).toBe("● edit      Edit a.js\n");
  expect(view.finish()).toBe(0);
});

test("a diff that was agreed to is not shown again, another one is", () => {
  const { view, text } = setUp();
  view.begin();
  view.show(toolCall({ content: [diff] }));
  view.propose({ toolCallId: "1" });
  view.show(toolCall({ content: [{ ...diff }], status: "completed" }));
  const hunk = ["  │ @@ -1,1 +1,1 @@", "  │ -old", "  │ +new"];
  expect(text()).toBe(["? edit      Edit a.js  +1 −1", ...hunk, "✓ edit      Edit a.js  +1 −1", ""].join("\n"));
  view.show(toolCall({ toolCallId: "2", content: [diff] }));
  view.propose({ toolCallId: "2" });
  view.show(toolCall({ toolCallId: "2", content: [{ ...diff, newText: "newer\n" }], status: "completed" }));
  expect(text()).toMatch(/ {2}│ \+newer\n$/);
});

test("a question about a call that was never announced shows what it brings", () => {
  const { view, text } = setUp();
  view.propose({ toolCallId: "9", title: "rm -rf /", kind: "execute", rawInput: { command: "rm -rf /", cwd: "/" } });
  expect(text()).toBe("? execute   rm -rf /\n  │ cwd: /\n");
});

test("text and thoughts are sections of their own, and half characters join", () => {
  const { view, text } = setUp();
  view.show({ type: "thought", text: "Hm", content: { type: "text", text: "Hm" }, update });
  view.show({ type: "thought", text: ".", content: { type: "text", text: "." }, update });
  view.show({ type: "text", text: "Yes \ud83d", update });
  view.show({ type: "text", text: "\ude00\r", update });
  view.show({ type: "content", content: { type: "image", data: "AAAA", mimeType: "image/png" }, update });
  expect(text()).toBe("Hm.\n\nYes 😀␍\n\n[image image/png 0 KiB]\n");
});

test("echoes, commands and unknown updates are for the curious", () => {
  const events: AcpTurnEvent[] = [
    { type: "user", content: { type: "text", text: "again" }, update },
    { type: "commands", commands: [{ name: "review", description: "Review" }], update },
    { type: "unknown", update },
  ];
  const [quiet, curious] = [setUp(), setUp(true)];
  for (const event of events) {
    quiet.view.show(event);
    curious.view.show(event);
  }
  expect(quiet.text()).toBe("");
  expect(curious.text()).toBe('echo: again\ncommands: review\nunknown update: {"sessionUpdate":"test"}\n');
});
