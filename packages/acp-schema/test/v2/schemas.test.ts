import { testSchemas } from "../../../core/test/support/schema-package.js";
import { schema } from "../support/v2-package.js";

testSchemas(schema);
