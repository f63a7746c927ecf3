import { WireError } from "@editwire/core";
import type { Program } from "@editwire/transport";
import { nameOf } from "./silence.js";

/**
 * Recognizes an other side that sends back what it receives, such as `cat`. It sends back this side's refusal of its
 * own request, too, and that would be read as the answer.
 */
export class EchoWatch {
  readonly #program: Program | undefined;
  #method: string | undefined;
  #params: string | undefined;

  constructor(program: Program | undefined) {
    this.#program = program;
  }

  /** Called with each request of this side. The first one is looked for. */
  sends(method: string, params: unknown): void {
    if (this.#method !== undefined) return;
    this.#method = method;
    this.#params = JSON.stringify(params);
  }

  /** The error of the first request if this received request is the same. */
  errorOf(method: string, params: unknown): WireError | undefined {
    if (method !== this.#method || JSON.stringify(params) !== this.#params) return undefined;
    const why = "sends back what it receives; a terminal in between does so, too, as with ssh -t";
    return new WireError("invalid_result", `${method}: ${nameOf(this.#program)} ${why}`);
  }
}
