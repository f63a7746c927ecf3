import { recipe } from "../../tsup.base.js";

export default recipe({ index: "src/index.ts", node: "src/node.ts" });
