// Writes the schema of the JSON report.
import { writeFileSync } from "node:fs";
import { reportJsonSchema } from "../src/report/schema.js";

const file = new URL("../schemas/report.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(reportJsonSchema(), null, 2)}\n`);
