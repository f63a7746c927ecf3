// Writes schema.json, the message table as JSON Schema; run by the package script "schema".
import { writeFileSync } from "node:fs";
import { toJsonSchema } from "@editwire/core";
import { helixZed } from "@editwire/helix-zed-schema";

writeFileSync(new URL("../schema.json", import.meta.url), `${JSON.stringify(toJsonSchema(helixZed), null, 2)}\n`);
