import { isObject } from "@editwire/core";
import { defineMonitor, type MonitorApi, type SeenMessage } from "../../../core/talk/monitor.js";
import { type Note, noteOf, textOf } from "./fields.js";

const fix = "kaiak/generate_fix";
/** How far a tool call is; a status that is not listed may stand anywhere. */
const order: Readonly<Record<string, number>> = {
  pending: 0,
  approved: 1,
  executing: 2,
  completed: 3,
  denied: 3,
  failed: 3,
  timeout: 3,
};

/** The notifications of a run. */
interface SeenRun {
  readonly request: string;
  readonly messages: Set<unknown>;
  percentage: number;
  /** How far each tool call is, by its tool and parameters. */
  readonly tools: Map<string, number>;
  /** An error came that is not recoverable. */
  failed: boolean;
}

/** The sessions of a connection, as far as a client knows them. */
interface SeenSessions {
  /** Requests for runs that are not answered, by session; those of another connection are not seen. */
  readonly open: Map<string, number>;
  readonly runs: Map<string, SeenRun>;
  /** The ids of runs that were answered. */
  readonly answered: Set<string>;
  /** Sessions that a message named which is not a request for a run: nobody can say what they do. */
  readonly unsure: Set<string>;
}

/** The notifications of a run, from its request to its answer. */
export const runMonitor = defineMonitor(
  {
    id: "kaiak.server.runs",
    title: "a run sends its notifications before its answer, with its ids, and in order",
    req: [4, 5, 6, 7, 8, 10].map((number) => `KAIAK-FIX-${String(number).padStart(3, "0")}`),
    role: "server",
  },
  (api) => {
    const seen: SeenSessions = { open: new Map(), runs: new Map(), answered: new Set(), unsure: new Set() };
    return {
      message(message) {
        if (message.from === "suite") return begun(seen, message);
        const { is, answers } = message;
        const note = noteOf(message, "target");
        if (note !== undefined) judgeNote(api, message, note, seen);
        if ((is.kind === "result" || is.kind === "error") && answers?.method === fix) judgeAnswer(api, message, seen);
      },
    };
  },
);

/** Takes in what the suite sent. */
function begun({ open, unsure }: SeenSessions, { is, entry }: SeenMessage): void {
  const params = "params" in is ? is.params : undefined;
  const session = textOf(params, "session_id");
  if (is.kind === "request" && is.method === fix) open.set(session, (open.get(session) ?? 0) + 1);
  else if (is.kind === "notification" && is.method === fix) unsure.add(session);
  else if (is.kind === "invalid") unsure.add(JSON.stringify(entry.message));
}

function judgeNote(api: MonitorApi, { entry }: SeenMessage, note: Note, seen: SeenSessions): void {
  const { session, request, content, kind } = note;
  if (seen.unsure.has(session) || [...seen.unsure].some((text) => text.includes(session))) return;
  const judge = (number: string, condition: boolean, message: string, expected: string): void =>
    void api.require(`KAIAK-FIX-${number}`, condition, entry, { message, expected, actual: entry.message });
  const isOpen = (seen.open.get(session) ?? 0) > 0;
  // A later run may have the request_id of an earlier one.
  const late = seen.answered.has(request) && !isOpen;
  judge("004", !late, "a notification of a run that was answered", "every notification before the answer");
  if (late) return;
  judge("005", isOpen, "a notification of a session without a run", "the session_id of an open run");
  const known = seen.runs.get(session);
  judge("005", known === undefined || known.request === request, "another request_id within a run", "one for each run");
  const run = known ?? { request, messages: new Set(), percentage: 0, tools: new Map<string, number>(), failed: false };
  seen.runs.set(session, run);
  judge("006", !run.messages.has(note.message), "a message_id for the second time", "one of its own");
  run.messages.add(note.message);
  judge("010", !run.failed, "a notification behind an error that is not recoverable", "nothing but the answer");
  if (kind === "error" && content["recoverable"] === false) run.failed = true;
  if (kind === "progress") {
    const percentage = Number(content["percentage"]);
    judge("007", percentage >= run.percentage, "a percentage that decreased", `${run.percentage} or more`);
    run.percentage = percentage;
  }
  if (kind !== "tool_call") return;
  const call = JSON.stringify([content["tool_name"], content["operation"], content["parameters"]]);
  const now = order[String(content["status"])];
  const before = run.tools.get(call) ?? 0;
  // A call that is over may come again.
  const again = before === 3 && now !== 3;
  if (now !== undefined) {
    judge("008", now >= before || again, "a tool call that went back", "pending, approved, executing, then its end");
    run.tools.set(call, now);
  }
}

function judgeAnswer(api: MonitorApi, { is, answers, entry }: SeenMessage, seen: SeenSessions): void {
  const session = textOf(answers?.params, "session_id");
  seen.open.set(session, (seen.open.get(session) ?? 1) - 1);
  if (is.kind !== "result" || !isObject(is.result)) return;
  const { request_id, status } = is.result;
  const run = seen.runs.get(session);
  seen.runs.delete(session);
  seen.answered.add(String(request_id));
  const same = run === undefined || run.request === request_id;
  const expected = run === undefined ? "an id" : run.request;
  const actual = entry.message;
  api.require("KAIAK-FIX-005", same, entry, { message: "a result with another request_id", expected, actual });
  if (run?.failed !== true) return;
  const message = "a run that failed has another status";
  api.require("KAIAK-FIX-010", status === "failed", entry, { message, expected: "failed", actual });
}

/** A question's default is one of its options. */
export const questionMonitor = defineMonitor(
  {
    id: "kaiak.server.questions",
    title: "a question has an id of its own, and its default is one of its options",
    req: ["KAIAK-ASK-008", "KAIAK-ASK-009"],
    role: "server",
  },
  (api) => {
    const ids = new Set<unknown>();
    return {
      message(message) {
        const note = noteOf(message, "target");
        if (note?.kind !== "user_interaction") return;
        const { options, default_response: wanted, interaction_id: id } = note.content;
        api.require("KAIAK-ASK-009", !ids.has(id), message.entry, {
          message: "an interaction_id for the second time",
          expected: "one of its own",
          actual: id,
        });
        ids.add(id);
        if (!Array.isArray(options) || options.length === 0 || typeof wanted !== "string") return;
        api.require("KAIAK-ASK-008", options.includes(wanted), message.entry, {
          message: "a default that cannot be chosen",
          expected: options.join(" or "),
          actual: wanted,
        });
      },
    };
  },
);
