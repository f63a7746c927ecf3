import type { Agent, AgentEvent, SessionView, TurnEnd } from "@editwire/agent";
import type { Transcript } from "./transcript.js";

/** A task for the agent. */
export interface TaskOptions {
  readonly agent: Agent;
  readonly projectKey: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
  readonly transcript: Transcript;
  /** Called with each piece of the agent's text. */
  readonly onText: (text: string) => void;
}

/** Works on a task until the model calls no more tools. The agent may do what it wants to: nobody is asked. */
export async function runTask(options: TaskOptions): Promise<TurnEnd> {
  const { agent, projectKey, prompt, signal } = options;
  const session = await agent.newSession({ cwd: `/${projectKey}` }); // the folder is known to the IDE alone
  const view: SessionView = { ...viewOf(options), permission: async () => "allow_once" };
  const detach = session.attach(view);
  try {
    return await session.prompt(prompt, { view, signal });
  } finally {
    detach();
  }
}

/** Shows the agent's text: each piece to the caller, and all that belongs together in the transcript. */
function viewOf({ transcript, onText }: TaskOptions): SessionView {
  let said = "";
  return {
    name: "task",
    event(event: AgentEvent) {
      if (event.type === "text") {
        said += event.text;
        onText(event.text);
      } else if (event.type === "tool_call" || event.type === "stop") {
        if (said !== "") transcript.say("agent", said.trim());
        said = "";
      }
    },
  };
}
