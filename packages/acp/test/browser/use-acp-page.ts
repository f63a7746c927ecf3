// A page with the React hooks of use-acp: has a turn with the agent at the URL in the fragment, allows what it asks
// for, has another turn that it cancels, loads the session, and shows what came.
import { createElement, useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import { useAcpClient } from "use-acp";

let wrote = "";
type Hook = ReturnType<typeof useAcpClient>;

async function converse(agent: NonNullable<Hook["agent"]>): Promise<string> {
  await agent.initialize({
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
  });
  const { sessionId, modes } = await agent.newSession({ cwd: "/work/project", mcpServers: [] });
  await agent.setSessionMode?.({ sessionId, modeId: "safe" });
  const { stopReason } = await agent.prompt({ sessionId, prompt: [{ type: "text", text: "Hello" }] });
  const waiting = agent.prompt({ sessionId, prompt: [{ type: "text", text: "wait" }] });
  await agent.cancel({ sessionId });
  const cancelled = await waiting;
  await agent.loadSession?.({ sessionId, cwd: "/work/project", mcpServers: [] });
  return `${modes?.availableModes.length} modes, ${stopReason}, ${cancelled.stopReason}, loaded`;
}

function App() {
  const { agent, notifications, pendingPermission, resolvePermission } = useAcpClient({
    wsUrl: location.hash.slice(1),
    reconnectAttempts: 0,
    clientOptions: {
      readTextFile: async ({ path }) => ({ content: `the text of ${path}` }),
      writeTextFile: async ({ content }) => {
        wrote = content;
        return {};
      },
    },
  });
  const received = useRef(notifications);
  received.current = notifications;

  useEffect(() => {
    if (agent !== null) void converse(agent).catch(String).then(show);
  }, [agent]);

  useEffect(() => {
    const chosen = pendingPermission?.options.find(({ kind }) => kind === "allow_once");
    if (chosen !== undefined) resolvePermission({ outcome: { outcome: "selected", optionId: chosen.optionId } });
  }, [pendingPermission, resolvePermission]);

  /** Waits until the state has what came last: the second prompt, of which the agent replays only the text. */
  function show(end: string): void {
    const updates = received.current.flatMap((one) => (one.type === "session_notification" ? [one.data.update] : []));
    const said = updates.map((update) =>
      "content" in update && update.content !== null && "text" in update.content
        ? update.content.text
        : update.sessionUpdate,
    );
    const isComplete = said.filter((one) => one === "wait").length === 2;
    if (end.endsWith("loaded") && !isComplete) return void setTimeout(() => show(end), 20);
    const output = document.createElement("output");
    output.textContent = [...said, `wrote ${wrote}`, end].join("|");
    document.body.append(output);
  }

  return createElement("p", null, "a page with use-acp");
}

const root = document.createElement("div");
document.body.append(root);
createRoot(root).render(createElement(App));
