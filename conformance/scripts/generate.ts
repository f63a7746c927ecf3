// Writes the generated files of this package: the page of the HTML report and the schema of the JSON report.
import { writeFileSync } from "node:fs";
import { reportJsonSchema } from "../src/report/schema.js";
import { makePage } from "./page.js";

const write = (path: string, text: string): void => writeFileSync(new URL(`../${path}`, import.meta.url), text);

write("assets/report.html", await makePage());
write("schemas/report.schema.json", `${JSON.stringify(reportJsonSchema(), null, 2)}\n`);
