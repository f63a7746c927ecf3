import { recipe } from "../tsup.base.js";

const entry = {
  index: "src/index.ts",
  "model/index": "src/model/index.ts",
  adapter: "src/adapter.ts",
  bin: "src/bin.ts",
};

/** `shims`: the package finds its data files by `import.meta.url`, also in CJS. */
export default recipe(entry, { platform: "node", shims: true });
