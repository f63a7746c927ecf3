import { UsageError } from "../core/errors.js";

/**
 * The values of the variables that `--redact` names, from `--env` and from the environment. Throws a `UsageError` for a
 * variable that neither has.
 */
export function secretsOf(
  names: readonly string[],
  variables: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  return names.map((name) => {
    const given =
      variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1) ?? environment[name];
    if (given === undefined)
      throw new UsageError(`--redact ${name}: expected a variable that is set by --env or in the environment`);
    return given;
  });
}
