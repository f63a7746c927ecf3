/** What a line at the prompt asks for. */
export type Command =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "mode"; readonly name: string | undefined }
  | { readonly type: "cancel" | "quit" | "help" | "nothing" }
  | { readonly type: "unknown"; readonly name: string; readonly text: string };

/** The commands of the prompt, for `/help`. */
export const commandHelp: readonly (readonly [string, string])[] = [
  ["/mode [NAME]", "switch the mode, or list the modes"],
  ["/cancel", "cancel the running turn (at a terminal: Ctrl-C)"],
  ["/quit", "end the agent and this program (also Ctrl-D)"],
  ["/help", "show this list"],
];

/** Reads a line: a command begins with a slash, anything else is for the agent. */
export function parseCommand(line: string): Command {
  const text = line.trim();
  if (text === "") return { type: "nothing" };
  if (!/^\/[a-z]*(\s|$)/.test(text)) return { type: "prompt", text };
  const [name = "", argument] = text.split(/\s+/);
  switch (name) {
    case "/mode":
      return { type: "mode", name: argument };
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
