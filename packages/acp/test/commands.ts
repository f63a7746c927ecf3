import { fileURLToPath } from "node:url";

/** The command line of a fixture, run from source. */
export function fixture(name: string): string[] {
  const file = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
  return [process.execPath, "--import", "tsx", "--conditions=@editwire/source", file];
}
