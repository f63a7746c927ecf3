/** True for an absolute path of POSIX (`/a`), Windows (`C:\a`, `C:/a`) or a network share (`\\server\share`). */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);
}
