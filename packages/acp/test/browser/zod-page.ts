// The same page, with a schema of its own.
import { z } from "zod";
import "./page.js";

z.object({ name: z.string() }).parse({ name: "page" });
