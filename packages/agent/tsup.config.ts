import { recipe } from "../../tsup.base.js";

export default recipe({
  index: "src/index.ts",
  mcp: "src/mcp.ts",
  "adapters/ai-sdk": "src/adapters/ai-sdk.ts",
  "adapters/lang-graph": "src/adapters/lang-graph.ts",
  "adapters/open-ai": "src/adapters/open-ai.ts",
});
