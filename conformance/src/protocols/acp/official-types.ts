import type { Mutant } from "../../core/mutant.js";
import type { Statement } from "../../core/registry/statement.js";
import type { Quote } from "../../core/registry/requirement.js";
import { schemaRequirement } from "./client-facts.js";

/** The types of the official schema, without `Request` and `Response`, by the methods that the specification lacks. */
const types: Readonly<Record<string, string>> = {
  "session/list": "ListSessions",
  "session/resume": "ResumeSession",
  "session/close": "CloseSession",
  "session/delete": "DeleteSession",
  logout: "Logout",
  "fs/read_text_file": "ReadTextFile",
  "fs/write_text_file": "WriteTextFile",
  "terminal/create": "CreateTerminal",
  "terminal/output": "TerminalOutput",
  "terminal/wait_for_exit": "WaitForTerminalExit",
  "terminal/kill": "KillTerminal",
  "terminal/release": "ReleaseTerminal",
};

/** The fields that the official schema requires in the params or the result of such a method. */
export function officialQuotes(
  pages: readonly Statement[],
  mutants: readonly Mutant[],
): (method: string, part: "params" | "result") => readonly Quote[] {
  return (method, part) => {
    const page = `schema#${types[method] ?? ""}${part === "params" ? "Request" : "Response"}:`;
    const id = schemaRequirement(method, part);
    const breaking = mutants.filter(({ violates, profile }) => violates.includes(id) && profile === "v1");
    return pages
      .filter(({ anchor, text }) => anchor.startsWith(page) && text.startsWith("required: "))
      .map(({ anchor, text }) => ({ at: anchor, text, mutants: breaking.map(({ id: name }) => name) }));
  };
}
