// Writes schema.json, the method table as JSON Schema; run by the package script "schema".
import { writeFileSync } from "node:fs";
import { acp } from "@editwire/acp-schema";
import { toJsonSchema } from "@editwire/core";

writeFileSync(new URL("../schema.json", import.meta.url), `${JSON.stringify(toJsonSchema(acp), null, 2)}\n`);
