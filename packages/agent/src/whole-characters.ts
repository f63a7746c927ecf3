import type { AgentEvent } from "./events.js";

/**
 * Puts characters together that a stream of texts cut in two, as emoji are where texts are cut by their length. Parsers
 * of JSON may refuse a message that has half a character.
 */
export class WholeCharacters {
  /** Halves that wait for the next text, or the next thought. */
  readonly #held = { text: "", thought: "" };

  /** An event without halves; `undefined` when it has nothing else. What stays a half becomes U+FFFD. */
  of(event: AgentEvent): AgentEvent | undefined {
    if (event.type !== "text" && event.type !== "thought") return event;
    const held = this.#held[event.type];
    if (held === "" && !half.test(event.text)) return event;
    const text = held + event.text;
    const end = firstHalf.test(text) ? text.length - 1 : text.length;
    this.#held[event.type] = text.slice(end);
    return end === 0 ? undefined : { ...event, text: text.slice(0, end).replace(halves, "\uFFFD") };
  }
}

const half = /\p{Surrogate}/u;
const halves = /\p{Surrogate}/gu;
const firstHalf = /[\uD800-\uDBFF]$/;
