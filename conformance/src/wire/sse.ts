/** A part of an event stream: an event's data, or a comment. */
export type SsePart =
  | { readonly kind: "event"; readonly data: string; readonly fields: readonly string[] }
  | { readonly kind: "comment"; readonly text: string };

/** Cuts an event stream into its parts, by the rules of the HTML standard; all line breaks count. */
export class SseCutter {
  #text = "";
  /** The last line ended with a CR, and a LF that comes next belongs to it. */
  #afterCr = false;
  #data: string[] = [];
  #fields: string[] = [];
  readonly #decoder = new TextDecoder("utf-8");

  /** Takes a chunk and returns what it completes. */
  push(chunk: Uint8Array): SsePart[] {
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#text += this.#afterCr && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#afterCr = text.endsWith("\r");
    const parts: SsePart[] = [];
    for (;;) {
      const end = /\r\n|\n|\r/.exec(this.#text);
      if (end === null) return parts;
      const line = this.#text.slice(0, end.index);
      this.#text = this.#text.slice(end.index + end[0].length);
      const part = this.#line(line);
      if (part !== undefined) parts.push(part);
    }
  }

  #line(line: string): SsePart | undefined {
    if (line === "") {
      const data = this.#data;
      const fields = this.#fields;
      this.#data = [];
      this.#fields = [];
      return data.length === 0 ? undefined : { kind: "event", data: data.join("\n"), fields };
    }
    if (line.startsWith(":")) return { kind: "comment", text: line.slice(1).trimStart() };
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else this.#fields.push(`${name}: ${value}`);
    return undefined;
  }
}
