import type { Diagnostic } from "@editwire/core";

/** Who may reach a listener. */
export interface GuardOptions {
  /**
   * Origins of pages that may connect, such as `https://app.example`. Default none: a browser is refused, other
   * programs send no Origin.
   */
  origins?: readonly string[] | undefined;
  /**
   * Names, without a port, by which this listener may be addressed. Default the loopback names; anything else may be
   * DNS rebinding. `*` stands for any name: a page that rebinds a name has no credentials, so it requires some.
   */
  hosts?: readonly string[] | undefined;
  /**
   * A secret that callers must send as `Authorization: Bearer …`, or a WebSocket's page as a subprotocol. Default: no
   * secret is required.
   */
  token?: string | undefined;
  /**
   * Identifies the caller of a request that passed the other checks, such as by a token of its own. `undefined` refuses
   * it with 401; an error that it throws becomes 500, and its text reaches nobody. Default: every caller is the same.
   */
  authenticate?: ((request: CallerRequest) => string | undefined | Promise<string | undefined>) | undefined;
  /** Milliseconds that `authenticate` has. Default 10,000; past them the caller is refused with 503. */
  authenticateTimeoutMs?: number | undefined;
  /**
   * Called with each refusal, as `listener.refused`, with its reason, such as the foreign Origin; never with a token.
   * It is called for the first refusal of a kind in each second, and at its end with the number of the others. So it
   * is with connections that had to leave (`listener.full`, `listener.overloaded`).
   */
  onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** The part of a request that `authenticate` sees. */
export interface CallerRequest {
  /** The token that a WebSocket's page sent as a subprotocol is in `authorization`, as `Bearer …`. */
  readonly headers: HeaderSource;
  /** The path and the query, such as `/acp/rpc?client_id=1`. */
  readonly path: string;
}

/** Why a caller is refused: an HTTP status and a text for its body. */
export interface Refusal {
  readonly status: 401 | 403 | 500 | 503;
  readonly message: string;
  /** Facts about the refused request, for the operator alone; without secrets. */
  readonly details?: string | undefined;
}

/** The headers that a guard reads, as `Headers` gives them: the case of a name does not matter. */
export interface HeaderSource {
  get(name: string): string | null;
}

const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];
/** The values of `Sec-Fetch-Site` in a request that no foreign page made; programs send none. */
const sameSite = [null, "same-origin", "none"];

/** Throws a `TypeError` for an empty token, and for the host `*` without credentials. */
export function checkGuard({ hosts = [], token, authenticate }: GuardOptions): void {
  if (token === "") throw new TypeError("expected a token that is not empty");
  if (hosts.includes("*") && token === undefined && authenticate === undefined)
    throw new TypeError('expected a token or authenticate for the host "*"');
}

/** Creates the check that every HTTP request and WebSocket upgrade must pass before the rest of it is read. */
export function createGuard({
  origins = [],
  hosts = loopbackHosts,
  token,
}: GuardOptions): (headers: HeaderSource) => Refusal | undefined {
  const isAnyHost = hosts.includes("*");
  const expected = token === undefined ? undefined : new TextEncoder().encode(token);
  return (headers) => {
    const isServed = isAnyHost || hosts.includes(hostName(headers.get("host")));
    if (!isServed) {
      const details = `Host ${quoted(headers.get("host"))} is not in hosts`;
      return { status: 403, message: "this Host is not served here", details };
    }
    const origin = headers.get("origin");
    // A page's plain GET has no Origin; browsers then send Sec-Fetch-Site.
    const site = headers.get("sec-fetch-site");
    const isForeign = origin === null ? !sameSite.includes(site) : !origins.includes(origin);
    if (isForeign) {
      const from =
        origin === null ? `a page without Origin, Sec-Fetch-Site ${quoted(site)},` : `Origin ${quoted(origin)}`;
      return { status: 403, message: "this Origin may not connect", details: `${from} is not in origins` };
    }
    const given = bearerOf(headers);
    if (expected === undefined || equalInConstantTime(expected, given)) return undefined;
    const details = given === "" ? "no token was sent" : "another token was sent";
    return { status: 401, message: "a bearer token is required", details };
  };
}

/** The name in a Host header, without its port and in lower case; an IPv6 address keeps its brackets. */
function hostName(host: string | null): string {
  return (host ?? "").toLowerCase().replace(/:\d+$/, "");
}

/** The token of an `Authorization` header; the scheme is not case-sensitive (RFC 9110, 11.1). */
function bearerOf(headers: HeaderSource): string {
  return /^bearer +(.*)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

/** Compares in a time that does not depend on how much of the secret is correct. */
function equalInConstantTime(expected: Uint8Array, given: string): boolean {
  const actual = new TextEncoder().encode(given);
  let difference = expected.length ^ actual.length;
  for (let i = 0; i < expected.length; i++) difference |= (expected[i] ?? 0) ^ (actual[i] ?? 0);
  return difference === 0;
}

/** Characters that are shown of a value. */
const maxChars = 200;

/** A value that a caller sent, for a report: as JSON, so that it is one line, and only its beginning if it is long. */
function quoted(value: string | null): string {
  if (value === null) return "none";
  return JSON.stringify(value.length > maxChars ? `${value.slice(0, maxChars)}…` : value);
}
