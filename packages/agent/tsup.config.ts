import { recipe } from "../../tsup.base.js";

export default recipe({
  index: "src/index.ts",
  "ai-sdk": "src/adapters/ai-sdk.ts",
  "lang-graph": "src/adapters/lang-graph.ts",
  "open-ai": "src/adapters/open-ai.ts",
});
