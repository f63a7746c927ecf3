import { randomUUID } from "node:crypto";

/** Where a protocol's WebSockets are dialed: what its URLs have behind the server's name. */
export interface WsPaths {
  readonly path: string;
  /** The parameter of the query that names the connection. */
  readonly id: string;
  /** Further parameters, the same for every connection. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** The path and the id under which a connection is dialed. */
export interface WsName {
  readonly id: string;
  /** Goes into `Authorization: Bearer …`. */
  readonly token: string;
}

let names = 0;

/** A name that no other connection of this process has. */
export function freshName(): WsName {
  return { id: `ses_${++names}_${randomUUID().slice(0, 8)}`, token: randomUUID() };
}

/** The whole URL of a connection. Keeps a path of the URL that ends in the protocol's path, and what its query has. */
export function wsUrl(url: string, { path, id: parameter, query }: WsPaths, { id }: Pick<WsName, "id">): string {
  const whole = new URL(url);
  if (!whole.pathname.endsWith(path)) whole.pathname = `${whole.pathname.replace(/\/$/, "")}${path}`;
  for (const [name, value] of Object.entries({ ...query, [parameter]: id }))
    if (!whole.searchParams.has(name)) whole.searchParams.set(name, value);
  return whole.href;
}
