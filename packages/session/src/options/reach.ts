/** Where a listener listens, and how it knows its callers. */
interface Reach {
  readonly host?: string | undefined;
  readonly hosts?: readonly string[] | undefined;
  readonly token?: string | undefined;
  readonly authenticate?: unknown;
}

const loopback = ["127.0.0.1", "localhost", "::1"];

/** Addresses that stand for all addresses of the machine. */
const anyAddress = ["0.0.0.0", "::"];

/** Whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return loopback.includes(host);
}

/** Throws a `TypeError` for a listener that other machines reach without credentials. */
export function requireCredentials(name: string, { host = "127.0.0.1", token, authenticate }: Reach): void {
  if (!isLoopback(host) && token === undefined && authenticate === undefined)
    throw new TypeError(`${name}: expected a token or authenticate: other machines can reach ${host}`);
}

/** The names by which a listener may be addressed. One on all addresses, which has credentials, takes any name. */
export function servedHosts({ host = "127.0.0.1", hosts }: Reach): readonly string[] {
  if (hosts === undefined && anyAddress.includes(host)) return ["*"];
  return hosts ?? [...loopback, host].map((name) => (name.includes(":") ? `[${name}]` : name));
}

/**
 * The URL of `path` below a base URL, to connect to. A base URL that ends in one of the paths `served` already is taken
 * without it. For error texts, `name` is the function that got it. Throws a `TypeError` for a base URL that is not http
 * or https, and for WebSockets not ws or wss either.
 */
export function urlBelow(
  name: string,
  scheme: "http" | "ws",
  baseUrl: unknown,
  path: string,
  served: readonly string[] = [path],
): URL {
  const base = String(baseUrl);
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !(scheme === "ws" ? /^(ws|http)s?:$/ : /^https?:$/).test(url.protocol))
    throw new TypeError(
      `${name}: expected ${scheme === "ws" ? "a ws, wss," : "an"} http or https URL, received "${base}"`,
    );
  url.protocol = url.protocol.replace(/^http/, scheme);
  const given = url.pathname.replace(/\/$/, "");
  const known = served.find((end) => end !== "" && given.endsWith(end)) ?? "";
  url.pathname = given.slice(0, given.length - known.length) + path;
  return url;
}

/** The headers of a request, with a token as `authorization`. */
export function withToken({ headers, token }: Credentials): Readonly<Record<string, string>> {
  return { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
}

interface Credentials {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly token?: string | undefined;
}
