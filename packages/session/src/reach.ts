/** Where a listener listens, and how it knows its callers. */
interface Reach {
  readonly host?: string | undefined;
  readonly hosts?: readonly string[] | undefined;
  readonly token?: string | undefined;
  readonly authenticate?: unknown;
}

const loopback = ["127.0.0.1", "localhost", "::1"];

/** Throws a `TypeError` for a listener that other machines reach without credentials. */
export function requireCredentials(name: string, { host = "127.0.0.1", token, authenticate }: Reach): void {
  if (!loopback.includes(host) && token === undefined && authenticate === undefined)
    throw new TypeError(`${name}: expected a token or authenticate: other machines can reach ${host}`);
}

/** The names by which a listener may be addressed. */
export function servedHosts({ host = "127.0.0.1", hosts }: Reach): readonly string[] {
  return hosts ?? [...loopback, host].map((name) => (name.includes(":") ? `[${name}]` : name));
}
