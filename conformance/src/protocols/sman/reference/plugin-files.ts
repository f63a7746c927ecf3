/** The files that the tools read and write; paths are relative to the root. */
export interface PluginFiles {
  readonly root: string;
  read(path: string): string;
  change(path: string, edit: (text: string) => string): void;
  create(path: string, text: string): void;
  /** A text with one passage replaced. Throws a `ToolFailure` unless there is exactly one. */
  edited(text: string, search: string, replace: string): string;
}
