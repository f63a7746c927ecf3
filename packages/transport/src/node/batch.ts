/**
 * A command line for `cmd.exe /d /s /c "LINE"` that starts a batch file, with its arguments unchanged.
 *
 * Two parsers of `cmd.exe` read each argument: that of the line, and that of the batch file where it passes its
 * arguments on with `%*`, as the files that npm installs do. Therefore each argument is escaped twice. cross-spawn 7
 * does so only for files in `node_modules/.bin`: in a global prefix, an argument with `"` and `&` runs a command.
 *
 * Throws a `TypeError` for what no such line can hold: an argument with a line break or a NUL character, and a path in
 * which `cmd.exe` would see a variable between two percent signs.
 */
export function batchCommandLine(file: string, args: readonly string[]): string {
  for (const arg of args) {
    if (/[\0\r\n]/.test(arg))
      throw new TypeError(
        `expected arguments of the batch file "${file}" on one line, received ${JSON.stringify(arg)}`,
      );
  }
  if (/%.*%/.test(file))
    throw new TypeError(`expected the path of a batch file without %variables%, received "${file}"`);
  return [`"${file}"`, ...args.map((arg) => escaped(escaped(quoted(arg))))].join(" ");
}

/** Quotes an argument for the program that receives it, by the rules of Microsoft's C runtime. */
function quoted(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/** Puts a caret before each character that `cmd.exe` interprets; quotes too, so that no quoted part begins. */
function escaped(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;,\s*?=]/g, "^$&");
}
