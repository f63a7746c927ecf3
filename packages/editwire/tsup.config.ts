import { recipe } from "../../tsup.base.js";

export default recipe({ index: "src/index.ts", bin: "src/bin.ts" }, { platform: "node" });
