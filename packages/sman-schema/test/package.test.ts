import { testSchemaPackage } from "../../core/test/support/schema-package.js";
import { schema } from "./support/package.js";

testSchemaPackage(schema);
