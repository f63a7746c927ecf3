/** The cookies of one server, which it sets for all of its paths. */
export class Cookies {
  readonly #values = new Map<string, string>();

  /** Takes the `Set-Cookie` headers of an answer. */
  take(headers: readonly string[] = []): void {
    for (const header of headers) {
      const [pair = "", ...attributes] = header.split(";");
      const at = pair.indexOf("=");
      const name = pair.slice(0, at).trim();
      if (at < 1 || name === "") continue;
      if (attributes.some((one) => /^\s*max-age\s*=\s*(0|-\d+)\s*$/i.test(one))) this.#values.delete(name);
      else this.#values.set(name, pair.slice(at + 1).trim());
    }
  }

  /** The header that returns them; none without cookies. */
  header(): { cookie?: string } {
    const all = [...this.#values].map(([name, value]) => `${name}=${value}`);
    return all.length === 0 ? {} : { cookie: all.join("; ") };
  }
}
