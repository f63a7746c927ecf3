import { expectTypeOf, it } from "vitest";
import type { SmanIde, SmanPlugin } from "../src/index.js";
import type { SmanToolAnswer } from "../src/backend/api.js";
import { dialSman } from "../src/node.js";

declare const ide: SmanIde;

it("types a call by its tool", () => {
  expectTypeOf(ide.call("grep_file", { pattern: "a", limit: 3 })).resolves.toEqualTypeOf<SmanToolAnswer>();
  // @ts-expect-error: pattern is missing
  void ide.call("grep_file", {});
  // @ts-expect-error: another tool's param
  void ide.call("read_file", { relativePath: "a", pattern: "a" });
  // @ts-expect-error: no such direction
  void ide.call("call_chain", { method: "a.b", direction: "up" });
  // @ts-expect-error: no such tool
  void ide.call("find_usages", {});
});

it("types the tools of a plugin", () => {
  const plugin: SmanPlugin = {
    tools: {
      grep_file: async (params, { signal }) => {
        expectTypeOf(params.pattern).toEqualTypeOf<string>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return params.relativePath ?? "";
      },
      apply_change: () => ({ success: false, error: "no" }),
    },
  };
  expectTypeOf(dialSman).toBeCallableWith(plugin, { url: "ws://127.0.0.1:1", sessionId: "s", projectKey: "p" });
  // @ts-expect-error: a tool returns a text or an outcome
  const wrong: SmanPlugin["tools"] = { grep_file: () => 3 };
  expectTypeOf(wrong).toEqualTypeOf<SmanPlugin["tools"]>();
});
