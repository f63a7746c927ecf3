/** The cookies of one server. */
export class Cookies {
  readonly #values: Map<string, string>;

  /** By their names. */
  constructor(values: Map<string, string>) {
    this.#values = values;
  }

  /** Keeps what an answer sets in its lines `Set-Cookie`, and drops what it ends. */
  take(lines: readonly string[] = []): void {
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split(";");
      const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      if (name === "" || pair.length > maxChars) continue;
      this.#values.delete(name);
      if (!attributes.some(isOver) && this.#values.size < maxCount) this.#values.set(name, value);
    }
  }

  /** The headers of a request, with the cookies. Those of the caller take precedence. */
  addTo(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> | Headers {
    if (this.#values.size === 0) return own;
    const headers = new Headers(own);
    const pairs = headers.get("cookie")?.split(";") ?? [];
    const names = new Set(pairs.map((pair) => pair.split("=", 1)[0]?.trim()));
    const kept = [...this.#values].filter(([name]) => !names.has(name)).map(([name, value]) => `${name}=${value}`);
    headers.set("cookie", [...kept, ...pairs.map((pair) => pair.trim())].join("; "));
    return headers;
  }
}

/** The number of cookies that browsers keep at least, by RFC 6265. */
const maxCount = 50;
const maxChars = 4096;

/** Whether an attribute says that the cookie is over. */
function isOver(attribute: string): boolean {
  const [, name = "", value = ""] = /^\s*(max-age|expires)\s*=\s*(.*)$/i.exec(attribute) ?? [];
  if (name.toLowerCase() === "max-age") return Number(value) <= 0;
  return name !== "" && Date.parse(value) <= Date.now();
}
