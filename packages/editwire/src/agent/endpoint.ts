import { isLoopback } from "@editwire/session";

/** A URL leaves it out. */
const defaultPort = 80;

/** Where one side of a bridge is. */
export type Endpoint =
  /** This process's stdin and stdout, or those of the command that it starts. */
  | { readonly kind: "stdio" }
  /** A Unix socket, or a named pipe on Windows. */
  | { readonly kind: "unix"; readonly path: string }
  /** `ws` stands for `wss`, and `http` for `https`, too. */
  | { readonly kind: "http" | "ws"; readonly url: URL };

/**
 * Reads `stdio`, `unix:/path`, `http://host:port` or `ws://host:port`. Throws a `TypeError` that says what was
 * expected.
 */
export function parseEndpoint(text: string): Endpoint {
  if (text === "stdio") return { kind: "stdio" };
  if (text.startsWith("unix:") && text.length > "unix:".length) return { kind: "unix", path: text.slice(5) };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return { kind: "http", url };
  if (url?.protocol === "ws:" || url?.protocol === "wss:") return { kind: "ws", url };
  throw new TypeError(
    `expected stdio, unix:PATH, http://HOST:PORT or ws://HOST:PORT, received ${JSON.stringify(text)}`,
  );
}

/** The sides of a bridge. */
export type SideName = "editor" | "agent";

/** The variables of the environment that hold the tokens of the two sides. */
export const tokenVariables = { editor: "EDITWIRE_EDITOR_TOKEN", agent: "EDITWIRE_AGENT_TOKEN" } as const;

/**
 * The address and port to listen on: the URL's, or any free port for port 0. Throws a `TypeError` for a URL that cannot
 * be served as it is written, and for an address that other machines reach without a token.
 */
export function listenOptions(side: SideName, url: URL, token: string | undefined): { host: string; port: number } {
  const { protocol, hostname, pathname, port } = url;
  const wrong = (what: string): TypeError => new TypeError(`--${side} ${url.href}: ${what}`);
  if (protocol === "https:" || protocol === "wss:")
    throw wrong("a bridge listens without TLS: expected http:// or ws://");
  if (pathname !== "/") throw wrong(`expected an address without a path, such as ${url.origin}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (!isLoopback(host) && token === undefined)
    throw wrong(`other machines can reach ${host}: set ${tokenVariables[side]}`);
  return { host, port: port === "" ? defaultPort : Number(port) };
}
