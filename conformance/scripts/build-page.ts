// Builds the page of the HTML report.
import { writePage } from "./page.js";

await writePage();
