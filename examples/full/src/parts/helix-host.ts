import { join } from "node:path";
import { helixZedProfiles } from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { sqliteStore } from "@editwire/helix-zed/sqlite";
import Database from "libsql";
import { type PartOptions, tell } from "../messages.js";
import { asked } from "../tasks.js";
import { shortHelixZed } from "../wire/helix-zed.js";
import { reportWire } from "../wire/reporter.js";

/**
 * How often the task is asked for, each time by a request of its own. After a restart, the host asks for the answers to
 * the same requests. One ends with an error when the agent was killed before it has kept the session.
 */
const maxRequests = 4;

/** A product like Helix: its user gives the agent a task. The conversation is kept in a database. */
export async function runHelixHost({ hostPort, folder, token, hold }: PartOptions): Promise<void> {
  const host = await listenHelixZed({
    port: hostPort,
    token,
    profile: helixZedProfiles.v2026,
    store: sqliteStore(new Database(join(folder, "host.db"))),
    onWire: reportWire("helix-host", "agent", "helix-zed", shortHelixZed()),
    onEvent(event) {
      if (event.type === "thread") tellThread(event.threadId);
    },
  });
  const session = await host.session("ses_1");
  tellThread(session.state.threadId);
  for (let request = 1; ; request++) {
    const turn = session.prompt(asked.text, { requestId: `task-${request}` });
    for await (const event of turn) if (hold && event.type === "tool_call") tell({ type: "holds" });
    const { state, error } = await turn.interaction;
    if (state !== "error" || request === maxRequests) return tell({ type: "over", text: `the answer is ${state}` });
    tell({ type: "note", text: `the answer is an error, ${error}; asks again` });
  }
}

function tellThread(sessionId: string | undefined): void {
  if (sessionId !== undefined) tell({ type: "thread", sessionId });
}
