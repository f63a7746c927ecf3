import type { MessageEntry, TraceEntry } from "../../trace/trace.js";
import type { Findings } from "../verdict/check.js";
import { type Classified, type Classify, idKey } from "./message.js";
import type { SuiteProfile } from "../run/context.js";
import type { Monitor, MonitorHandlers, SeenMessage, SeenRequest } from "./monitor.js";

/** The receiver of the monitors' findings. */
export interface InspectorEvents {
  judged(monitor: Monitor, req: string, condition: boolean, findings: Findings): void;
  fatal(entry: TraceEntry, problem: string): void;
  /** A monitor threw: a bug of the suite. */
  broken(monitor: Monitor, error: unknown): void;
}

interface InspectOptions {
  readonly classify: Classify;
  readonly monitors: readonly Monitor[];
  readonly role: string;
  readonly transport: string;
  readonly accept?: SuiteProfile["accept"];
}

/** Runs the monitors over one connection's trace, entry by entry, live or recorded. */
export class Inspector {
  readonly #running: { monitor: Monitor; handlers: MonitorHandlers }[] = [];
  readonly #requests = new Map<string, SeenRequest & { answered: number }>();
  readonly #classify: Classify;

  readonly #events: InspectorEvents;

  constructor(options: InspectOptions, events: InspectorEvents) {
    this.#events = events;

    const { role, transport, accept } = options;
    this.#classify = options.classify;
    for (const monitor of options.monitors) {
      if (monitor.role !== undefined && monitor.role !== role) continue;
      const handlers = monitor.start({
        role,
        transport,
        accept,
        require(req, condition, entry, findings) {
          if (!monitor.req.includes(req))
            throw new TypeError(`monitor ${monitor.id} judges ${req}, which it does not declare`);
          events.judged(monitor, req, condition, { at: entry.seq, ...findings });
          return condition;
        },
        fatal: (entry, problem) => events.fatal(entry, problem),
      });
      this.#running.push({ monitor, handlers });
    }
  }

  /** Processes the next entry of the trace. */
  take(entry: TraceEntry): void {
    const seen = entry.kind === "message" && entry.from !== "model" ? this.#read(entry, entry.from) : undefined;
    this.#each((handlers) => {
      handlers.entry?.(entry);
      if (seen !== undefined) handlers.message?.(seen);
      if (entry.kind === "malformed" && entry.from === "target") handlers.malformed?.(entry);
    });
  }

  /** Called when the trace is complete. */
  end(): void {
    this.#each((handlers) => handlers.end?.());
  }

  #each(action: (handlers: MonitorHandlers) => void): void {
    for (const { monitor, handlers } of this.#running) {
      try {
        action(handlers);
      } catch (error) {
        this.#events.broken(monitor, error);
      }
    }
  }

  #read(entry: MessageEntry, from: "suite" | "target"): SeenMessage {
    const is = this.#classify(entry.message);
    const answers = this.#answeredBy(is, from);
    const seen: SeenMessage = { entry, from, is, ...(answers && { answers: { ...answers } }) };
    if (answers !== undefined) answers.answered += 1;
    if (is.kind === "request") this.#asked(entry, from, is);
    // A message that the suite sends wrong on purpose may be answered like a request.
    else if (is.kind === "invalid" && from === "suite" && is.id !== undefined)
      this.#asked(entry, from, { id: is.id, method: "", params: undefined });
    return seen;
  }

  #asked(
    entry: MessageEntry,
    from: "suite" | "target",
    { id, method, params }: { id: unknown; method: string; params: unknown },
  ): void {
    this.#requests.set(`${from} ${idKey(id)}`, { entry, from, id, method, params, answered: 0 });
  }

  #answeredBy(is: Classified, from: "suite" | "target"): (SeenRequest & { answered: number }) | undefined {
    if (is.kind !== "result" && is.kind !== "error") return undefined;
    return this.#requests.get(`${from === "target" ? "suite" : "target"} ${idKey(is.id)}`);
  }
}
