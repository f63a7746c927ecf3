import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { SchemaFile } from "./official-messages.js";

const require = createRequire(import.meta.url);
const paths = {
  stable: require.resolve("@agentclientprotocol/sdk/schema/v1/schema.json"),
  unstable: require.resolve("@agentclientprotocol/sdk/schema/v1/schema.unstable.json"),
};

/** A schema of version 1 that the official SDK publishes. */
export function schemaOf(part: keyof typeof paths): SchemaFile {
  return JSON.parse(readFileSync(paths[part], "utf8")) as SchemaFile;
}
