import { isObject, type RemoteError, type RequestId } from "@editwire/core";
import { type Answers, type Reports, show } from "../engine/index.js";
import type { Dialect } from "./dialect.js";
import { wrap } from "./envelope.js";

/** Writes the replies to the calls of the other end. */
export class TaggedAnswers implements Answers {
  readonly #dialect: Dialect;
  readonly #reports: Reports;

  constructor(dialect: Dialect, reports: Reports) {
    this.#dialect = dialect;
    this.#reports = reports;
  }

  result(id: RequestId, call: string, result: unknown): string {
    return this.#reply(id, call, isObject(result) ? result : {});
  }

  /** The id is empty when the call has none. */
  error(id: RequestId, call: string, error: RemoteError): string | undefined {
    let reported: unknown = error;
    try {
      const params = this.#dialect.failure?.(error, call);
      if (params !== undefined) return this.#reply(id, call, params);
    } catch (thrown) {
      if (error.data !== undefined) throw thrown; // the engine tries again without the data
      reported = thrown;
    }
    this.#reports.error(reported, call);
    return undefined;
  }

  duplicate(id: RequestId, call: string): undefined {
    this.#reports.diagnostic("tagged.duplicate", call, `the call ${show(id)} runs already; it is not started again`);
  }

  #reply(id: RequestId, call: string, params: Readonly<Record<string, unknown>>): string {
    const { mine, byCall } = this.#dialect;
    const { name, by } = byCall.get(call) ?? { name: call, by: "id" };
    return wrap(mine, name, { [by]: id, ...params, [by]: id });
  }
}
