// Writes schema.json, the message table as JSON Schema; run by the package script "schema".
import { writeFileSync } from "node:fs";
import { toJsonSchema } from "@editwire/core";
import { sman } from "@editwire/sman-schema";

writeFileSync(new URL("../schema.json", import.meta.url), `${JSON.stringify(toJsonSchema(sman), null, 2)}\n`);
