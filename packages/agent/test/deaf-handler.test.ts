import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { deaf } = await bundle(import.meta.url, { deaf: "fixtures/deaf-handler.ts" });

it("a cancelled turn whose handler ignores that ends before its process does", async () => {
  expect((await promisify(execFile)(process.execPath, [deaf])).stdout).toBe("cancelled\n");
});
