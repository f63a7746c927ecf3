import { acp, acpProfiles } from "@editwire/acp-schema";
import { schemaPackage } from "../../../core/test/support/schema-package.js";

/** This package, its fixtures, and how a value comes in through `connect`. */
export const schema = schemaPackage(import.meta.url, acp, acpProfiles);
export const { receive } = schema;
