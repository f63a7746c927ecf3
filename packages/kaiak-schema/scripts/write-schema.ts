// Writes schema.json, the method table as JSON Schema; run by the package script "schema".
import { writeFileSync } from "node:fs";
import { toJsonSchema } from "@editwire/core";
import { kaiak } from "@editwire/kaiak-schema";

writeFileSync(new URL("../schema.json", import.meta.url), `${JSON.stringify(toJsonSchema(kaiak), null, 2)}\n`);
