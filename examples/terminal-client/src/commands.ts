/** A line at the prompt, parsed. */
export type Command =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "mode" | "model"; readonly value: string | undefined; readonly text: string }
  | { readonly type: "set"; readonly id: string | undefined; readonly value: string | undefined; readonly text: string }
  | { readonly type: "cancel" | "quit" | "help" | "nothing" }
  | { readonly type: "unknown"; readonly name: string; readonly text: string };

/** The commands of the prompt, for `/help`. */
export const commandHelp: readonly (readonly [string, string])[] = [
  ["/mode [NAME]", "switch the mode, or list the modes"],
  ["/model [NAME]", "switch the model, or list the models"],
  ["/set [ID [VALUE]]", "change a setting, or list its values, or list the settings"],
  ["/cancel", "cancel the running turn (at a terminal: Ctrl-C)"],
  ["/quit", "end the agent and this program (also Ctrl-D)"],
  ["/help", "show this list"],
];

/** Reads a line: a command begins with a slash, anything else is for the agent. */
export function parseCommand(line: string): Command {
  const text = line.trim();
  if (text === "") return { type: "nothing" };
  if (!/^\/[a-z]*(\s|$)/.test(text)) return { type: "prompt", text };
  const [name = "", argument, ...rest] = text.split(/\s+/);
  switch (name) {
    case "/mode":
    case "/model":
      return { type: name === "/mode" ? "mode" : "model", value: argument, text };
    case "/set":
      return { type: "set", id: argument, value: rest.length === 0 ? undefined : rest.join(" "), text };
    case "/cancel":
      return { type: "cancel" };
    case "/quit":
    case "/exit":
      return { type: "quit" };
    case "/help":
      return { type: "help" };
    default:
      return { type: "unknown", name, text };
  }
}
