// Writes schema.json, the method table as JSON Schema; run by the package script "schema".
import { writeFileSync } from "node:fs";
import { eca } from "@editwire/eca-schema";
import { toJsonSchema } from "@editwire/core";

writeFileSync(new URL("../schema.json", import.meta.url), `${JSON.stringify(toJsonSchema(eca), null, 2)}\n`);
