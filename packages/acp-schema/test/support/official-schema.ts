import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { SchemaFile } from "./official-messages.js";

const require = createRequire(import.meta.url);
const paths = {
  stable: require.resolve("@agentclientprotocol/sdk/schema/v1/schema.json"),
  unstable: require.resolve("@agentclientprotocol/sdk/schema/v1/schema.unstable.json"),
  v2: require.resolve("@agentclientprotocol/sdk/schema/v2/schema.json"),
  "v2-unstable": require.resolve("@agentclientprotocol/sdk/schema/v2/schema.unstable.json"),
};

/** A schema that the official SDK publishes: of version 1, or of the draft of version 2. */
export function schemaOf(part: keyof typeof paths): SchemaFile {
  return JSON.parse(readFileSync(paths[part], "utf8")) as SchemaFile;
}
