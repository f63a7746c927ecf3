import { isObject } from "@editwire/core";
import { type AgentBehavior, event, type Json, rightAgent } from "../reference/agent-behavior.js";
import { mutantsOf } from "../../../core/mutant.js";

/** How the mutants of agents are declared. */
export const { broken, each, benign } = mutantsOf<AgentBehavior>("helix-zed.agent", "HELIX");

/** Overrides of the reference agent, checked by the compiler. */
export const patch = (switches: Partial<AgentBehavior>): Partial<AgentBehavior> => switches;

/** The data of an event. */
export function dataOf(said: Json): Json {
  return isObject(said["data"]) ? said["data"] : {};
}

/** Changes events of a name into what stands in their place. */
export const told = (name: string, change: (said: Json, data: Json) => readonly unknown[]): Partial<AgentBehavior> =>
  patch({ outgoing: (said) => (said["event_type"] === name ? change(said, dataOf(said)) : [said]) });

/** Changes the data of events of a name. */
export const data = (name: string, change: (data: Json) => unknown): Partial<AgentBehavior> =>
  told(name, (said, before) => [{ ...said, data: change(before) }]);

/** Adds an event to the end of every turn. */
export const beside = (name: string, more: Json): Partial<AgentBehavior> =>
  told("message_completed", (said) => [event(said["session_id"], name, more), said]);

/** Takes messages that name no session for those of another one, given the session of the dial. */
export const namelessFor = (sessionFor: (dialed: string) => string): Partial<AgentBehavior> =>
  patch({
    isChat: (more) => rightAgent.isChat({ helix_session_id: "ses_any", ...more }),
    sessionOf: ({ helix_session_id }, dialed) => helix_session_id ?? sessionFor(dialed),
  });
