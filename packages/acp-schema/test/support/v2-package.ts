import { acpV2, acpV2Profile } from "@editwire/acp-schema/v2";
import { schemaPackage } from "../../../core/test/support/schema-package.js";

/** Version 2, its fixtures, and how a value comes in through `connect`. */
export const schema = schemaPackage(import.meta.url, acpV2, { v2: acpV2Profile }, "v2/");
export const { receive } = schema;
