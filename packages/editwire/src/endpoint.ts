/** Where one side of a bridge is. */
export type Endpoint =
  /** This process's stdin and stdout, or those of the command that it starts. */
  | { readonly kind: "stdio" }
  /** A Unix socket, or a named pipe on Windows. */
  | { readonly kind: "unix"; readonly path: string }
  /** `ws` stands for `wss`, and `http` for `https`, too. */
  | { readonly kind: "http" | "ws"; readonly url: URL };

/** The kinds of endpoints. */
export type EndpointKind = Endpoint["kind"];

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

/** The address and port to listen on: the URL's, or any free port for port 0. A URL leaves out its default port. */
export function listenOptions({ protocol, hostname, port }: URL): { host: string; port: number } {
  const isSecure = protocol === "https:" || protocol === "wss:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? (isSecure ? 443 : 80) : Number(port) };
}
