import { recipe } from "../../tsup.base.js";

/** `shims`: the package finds its workers by `import.meta.url`, also in CJS. */
export default recipe({ index: "src/index.ts", prettier: "src/prettier.ts" }, { platform: "node", shims: true });
