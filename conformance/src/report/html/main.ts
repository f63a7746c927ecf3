import { startApp } from "./app.js";
import { embeddedReports } from "./data.js";
import { modelOf } from "./model.js";
import { restoreTheme } from "./theme.js";

restoreTheme();
embeddedReports().then(
  (reports) => startApp(modelOf(reports)),
  (error: unknown) => document.body.replaceChildren(`The report cannot be read: ${String(error)}`),
);
