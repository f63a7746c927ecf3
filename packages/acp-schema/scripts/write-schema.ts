// Writes each schema.json, a method table as JSON Schema; run by the package script "schema".
import { writeFileSync } from "node:fs";
import { acp } from "@editwire/acp-schema";
import { acpV2 } from "@editwire/acp-schema/v2";
import { toJsonSchema } from "@editwire/core";

for (const [file, protocol] of [
  ["schema.json", acp],
  ["v2/schema.json", acpV2],
] as const)
  writeFileSync(new URL(`../${file}`, import.meta.url), `${JSON.stringify(toJsonSchema(protocol), null, 2)}\n`);
