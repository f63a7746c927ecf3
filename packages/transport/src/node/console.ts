import { Console } from "node:console";

/** Everything of a console that writes to stdout, with what it keeps count in. */
const methods = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "groupEnd",
  "count",
  "countReset",
  "time",
  "timeLog",
  "timeEnd",
] as const;

/**
 * Moves the global console's stdout to stderr. Returns what moves it back, except for methods that others replaced
 * since.
 */
export function consoleToStderr(): () => void {
  const moved: Partial<Console> = new Console(process.stderr);
  const original: Partial<Console> = { ...console };
  const target: Partial<Console> = console;
  for (const name of methods) target[name] = moved[name] as never;
  return () => {
    for (const name of methods) if (target[name] === moved[name]) target[name] = original[name] as never;
  };
}
