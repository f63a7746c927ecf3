import { sman, smanProfiles } from "@editwire/sman-schema";
import { schemaPackage } from "../../../core/test/support/schema-package.js";

/** This package, its fixtures, and how a value comes in through `connect`. */
export const schema = schemaPackage(import.meta.url, sman, smanProfiles);
export const { receive, send } = schema;
