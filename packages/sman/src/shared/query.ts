/** The fields in the query of a plugin's URL. */
export interface Query {
  readonly sessionId: string | undefined;
  readonly projectKey: string | undefined;
  readonly projectPath: string | undefined;
  readonly mode: string | undefined;
}

/** Reads the query of an upgrade. An empty value counts as none. */
export function queryOf({ url = "/" }: { readonly url?: string | undefined }): Query {
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
  const value = (name: string): string | undefined => query.get(name) || undefined;
  return {
    sessionId: value("sessionId"),
    projectKey: value("projectKey"),
    projectPath: value("projectPath"),
    mode: value("mode"),
  };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The close with which a backend refuses such a query, in the words of sman's own server. */
export function refusalOf(
  { sessionId, projectKey }: Query,
  requireUuid: boolean,
): { code: number; reason: string } | undefined {
  if (sessionId === undefined) return { code: 1003, reason: "INVALID_SESSION: sessionId is missing" };
  if (requireUuid && !uuid.test(sessionId)) return { code: 1003, reason: "INVALID_SESSION: sessionId is not a UUID" };
  if (projectKey === undefined) return { code: 1003, reason: "INVALID_PARAMS: projectKey is missing" };
  return undefined;
}

/** The close of a plugin that listens, for a caller of another project. */
export const otherProject = { code: 1003, reason: "INVALID_PARAMS: projectKey is of another project" };
