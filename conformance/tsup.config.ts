import { recipe } from "../tsup.base.js";

const entry = {
  index: "src/index.ts",
  "model/index": "src/model/index.ts",
  adapter: "src/adapter.ts",
  bin: "src/bin.ts",
};

/** A program that users run, and import from modules alone: without CJS and source maps it is a third of the size. */
export default recipe(entry, { platform: "node", format: ["esm"], sourcemap: false });
