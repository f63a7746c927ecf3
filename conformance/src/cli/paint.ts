import colors from "picocolors";
import type { Paint } from "../report/paint.js";

/** Colors for a stream, if it is a terminal or FORCE_COLOR is set, and NO_COLOR is not. */
export function paintFor(
  stream: { readonly isTTY?: boolean | undefined },
  env: NodeJS.ProcessEnv = process.env,
): Paint | undefined {
  const { FORCE_COLOR: force, NO_COLOR: no } = env;
  const wanted = (no === undefined || no === "") && (stream.isTTY === true || (force !== undefined && force !== "0"));
  if (!wanted) return undefined;
  const painter = colors.createColors(true);
  return (color, text) => painter[color](text);
}
