/** The subprotocol that a server selects for a client that sends its token as another one. */
const selected = "editwire.v1";
const prefix = "bearer.";

/**
 * The subprotocols to offer, since a page cannot send headers with an upgrade: with a token `editwire.v1` and
 * `bearer.<base64url of the token in UTF-8>`, otherwise none.
 */
export function subprotocolsOf(token: string | undefined): string[] {
  if (token === undefined) return [];
  const bytes = Array.from(new TextEncoder().encode(token), (byte) => String.fromCharCode(byte)).join("");
  const base64url = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return [selected, `${prefix}${base64url}`];
}

/** The token in a `Sec-WebSocket-Protocol` header. Undefined where no token in base64url is offered. */
export function tokenOf(header: string | null): string | undefined {
  const offered = (header ?? "").split(",").map((name) => name.trim());
  const base64url = offered.find((name) => name.startsWith(prefix))?.slice(prefix.length);
  if (base64url === undefined) return undefined;
  try {
    const bytes = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** The subprotocol that a server answers: `editwire.v1`, otherwise the first one, but never a token. */
export function selectSubprotocol(offered: ReadonlySet<string>): string | false {
  if (offered.has(selected)) return selected;
  return [...offered].find((name) => !name.startsWith(prefix)) ?? false;
}
