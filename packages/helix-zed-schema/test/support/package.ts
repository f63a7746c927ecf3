import { helixZed, helixZedProfiles } from "@editwire/helix-zed-schema";
import { schemaPackage } from "../../../core/test/support/schema-package.js";

/** This package, its fixtures, and how a value comes in through `connect`. */
export const schema = schemaPackage(import.meta.url, helixZed, helixZedProfiles);
export const { receive, send } = schema;
