/** Characters of a program's text that a message quotes. */
const maxChars = 200;
/** A name such as `api_key` or `Bearer` with its value, and long words with digits, such as tokens. */
const secrets = /((?:key|token|secret|password|bearer)["']?[\s:=]+["']?)[^\s"',;]+|\b(?=[\w+=-]*\d)[\w+=-]{24,}/gi;

/** The last characters of what a program wrote, on one line, without what may be a secret. */
export function quoted(text: string): string {
  const line = text.replace(secrets, "$1***").replace(/\s+/g, " ").trim();
  return JSON.stringify(line.length > maxChars ? `…${line.slice(-maxChars)}` : line);
}
