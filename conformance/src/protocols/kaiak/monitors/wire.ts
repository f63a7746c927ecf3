import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { carrier } from "../envelope.js";
import { textOf } from "./fields.js";

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The commands of the API. In which request an answer to a question travels, the specification leaves open. */
const commands = ["kaiak/configure", "kaiak/generate_fix", "kaiak/delete_session"];

/** How a client calls. */
export const callMonitor = defineMonitor(
  {
    id: "kaiak.client.calls",
    title: "commands travel in workspace/executeCommand with one argument, and sessions have UUIDs",
    req: ["KAIAK-CALL-020", "KAIAK-CALL-027"],
    role: "client",
  },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || (is.kind !== "request" && is.kind !== "notification")) return;
      const { method, params } = entry.message as Record<string, unknown>;
      if (method !== carrier && !commands.includes(is.method)) return;
      const list = isObject(params) ? params["arguments"] : undefined;
      const right = method === carrier && is.kind === "request" && Array.isArray(list) && list.length === 1;
      api.require("KAIAK-CALL-020", right, entry, {
        message: "a command that is not a request workspace/executeCommand with one argument",
        expected: "{command, arguments: [one]}",
        actual: entry.message,
      });
      const session = textOf(is.params, "session_id");
      if (session === "") return;
      api.require("KAIAK-CALL-027", uuid.test(session), entry, {
        message: "a session_id of another form",
        expected: "a UUID",
        actual: session,
      });
    },
  }),
);

/** Only open questions are answered. */
export const answerMonitor = defineMonitor(
  {
    id: "kaiak.client.answers",
    title: "open questions are answered, once, with one of their options",
    req: ["KAIAK-ASK-021"],
    role: "client",
  },
  (api) => {
    const open = new Map<string, readonly unknown[]>();
    return {
      message({ from, is, entry, answers }) {
        if (from === "suite" && is.kind === "notification" && is.method === "kaiak/stream/user_interaction") {
          const content = isObject(is.params) && isObject(is.params["content"]) ? is.params["content"] : {};
          const options = Array.isArray(content["options"]) ? (content["options"] as unknown[]) : [];
          open.set(textOf(content, "interaction_id"), options);
        }
        // An answer that was refused leaves its question open.
        if (from === "suite" && is.kind === "error" && answers?.method === "kaiak/interaction/respond")
          open.set(textOf(answers.params, "interaction_id"), []);
        if (from !== "target" || is.kind !== "request" || is.method !== "kaiak/interaction/respond") return;
        const id = textOf(is.params, "interaction_id");
        const options = open.get(id);
        open.delete(id);
        const data = isObject(is.params) ? is.params["response_data"] : undefined;
        const answer = isObject(data) ? Object.values(data) : [data];
        const right = options?.length === 0 || answer.some((one) => options?.includes(one) === true);
        api.require("KAIAK-ASK-021", options !== undefined && right, entry, {
          message: options === undefined ? "an answer to a closed question" : "an answer that is not an option",
          expected: options ?? "an open question",
          actual: entry.message,
        });
      },
    };
  },
);
