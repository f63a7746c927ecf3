// The same page with a schema of its own, after zod's generated code was turned off.
import "./jitless.js";
import "./zod-page.js";
