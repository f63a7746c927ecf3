import { acpMapping } from "./acp.js";
import { ecaMapping } from "./eca.js";
import type { ProtocolMapping } from "./facts.js";
import { helixZedMapping } from "./helix-zed.js";
import { kaiakMapping } from "./kaiak.js";

/** How each protocol says what an agent says: one row for each fact, one column for each protocol. */
export const mapping = {
  acp: acpMapping,
  eca: ecaMapping,
  kaiak: kaiakMapping,
  "helix-zed": helixZedMapping,
} satisfies Record<string, ProtocolMapping>;
