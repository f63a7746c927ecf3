/** The URI of an absolute path, also of Windows. */
export function fileUri(path: string): string {
  const slashes = path.replaceAll("\\", "/");
  const encoded = encodeURI(slashes).replaceAll("?", "%3F").replaceAll("#", "%23");
  if (path.startsWith("\\\\")) return `file:${encoded}`; // a share of another machine: `\\host\share`
  return encoded.startsWith("/") ? `file://${encoded}` : `file:///${encoded}`;
}

/** The path of a `file:` URI, also of Windows; another URI stays as it is. */
export function pathOf(uri: string): string {
  if (!uri.startsWith("file:")) return uri;
  const { host, pathname } = new URL(uri);
  const path = decoded(pathname);
  if (host !== "") return `\\\\${host}${path.replaceAll("/", "\\")}`;
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

/** Some editors do not encode percent signs. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
