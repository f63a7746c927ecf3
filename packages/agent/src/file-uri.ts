/** The URI of an absolute path, also of Windows. */
export function fileUri(path: string): string {
  const slashes = path.replaceAll("\\", "/");
  const encoded = encodeURI(slashes).replaceAll("?", "%3F").replaceAll("#", "%23");
  return encoded.startsWith("/") ? `file://${encoded}` : `file:///${encoded}`;
}

/** The path of a `file:` URI, also of Windows; another URI stays as it is. */
export function pathOf(uri: string): string {
  if (!uri.startsWith("file:")) return uri;
  const path = decodeURIComponent(new URL(uri).pathname);
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}
