import { recipe } from "../../tsup.base.js";

export default recipe({
  index: "src/index.ts",
  node: "src/node.ts",
  mcp: "src/mcp.ts",
  unstable: "src/unstable.ts",
  testing: "src/testing.ts",
});
