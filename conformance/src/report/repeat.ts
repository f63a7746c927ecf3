/** The command of a run, for one of its cases. A target that is watched is watched as a whole. */
export function repeatOf(command: string, id: string): string {
  if (command.includes(" --watch")) return command;
  return command.includes(" -- ") ? command.replace(" -- ", ` --filter ${id} -- `) : `${command} --filter ${id}`;
}
