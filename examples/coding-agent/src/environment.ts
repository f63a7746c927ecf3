/**
 * The variables that a program may see: where things are, who the user is, the language, and the terminal. A key or a
 * token is never among them.
 */
const passedVariables: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "TMPDIR", "TMP", "TEMP"],
  ...["LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CI"],
  ...["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"],
  ...["JAVA_HOME", "GOPATH", "GOROOT", "CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT", "VIRTUAL_ENV", "NVM_DIR"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  // Windows does not start many programs without these.
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH"],
  ...["APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"],
]);

/** The variable in which the user names more variables to pass on, separated by commas. */
const additionalNames = "CODING_AGENT_ENV";

/**
 * Tells whether a program may see a variable: it is in the list, is one of `LC_*`, or is named in `CODING_AGENT_ENV`.
 */
export function isPassedOn(name: string): boolean {
  const known = process.platform === "win32" ? name.toUpperCase() : name;
  if (known === additionalNames || known.startsWith("LC_") || passedVariables.has(known)) return true;
  const additional = process.env[additionalNames] ?? "";
  return additional.split(",").some((other) => other.trim() === name);
}

/** The environment of a program that the agent runs. */
export function childEnvironment(): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && isPassedOn(name)) environment[name] = value;
  return environment;
}
