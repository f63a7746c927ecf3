import stringWidth from "string-width";

/** A word this close to the margin waits for its end, so that it moves to the next line whole. */
const margin = 24;

/** Breaks streamed text between words; fenced code is left to the terminal, which keeps its lines whole for copying. */
export function createWrapper(columns: () => number): { push(chunk: string): string; end(): string } {
  let column = 0;
  let space = "";
  let word = "";
  let fenced = false;

  const release = (): string => {
    const width = stringWidth(word);
    if (column === 0 && word.startsWith("```")) fenced = !fenced;
    const breaks = column > 0 && space !== "" && !fenced && column + stringWidth(space) + width > columns();
    const text = (breaks ? "\n" : space) + word;
    column = breaks ? width : column + stringWidth(space) + width;
    space = word = "";
    return text;
  };

  return {
    push(chunk) {
      let out = "";
      for (const token of chunk.match(/\n|[^\S\n]+|\S+/g) ?? []) {
        if (/^\S/.test(token)) {
          word += token;
          continue;
        }
        if (word !== "") out += release();
        if (token === "\n") {
          out += "\n";
          column = 0;
          space = "";
        } else space += token;
      }
      const roomy = column + space.length + word.length <= columns() - margin && !word.startsWith("`");
      return word !== "" && roomy ? out + release() : out;
    },
    end: () => (word === "" ? "" : release()),
  };
}
