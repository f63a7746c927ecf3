import { smanProfiles } from "@editwire/sman-schema";
import { expect, test } from "vitest";
import { receive } from "./support/package.js";

test("one call with every other name is read as the specification's", async () => {
  const wire = { tool_name: "read_file", parameters: { path: "a", contextLines: "3", line: null, projectKey: "p" } };
  const { value, diagnostics } = await receive(smanProfiles.spec, "TOOL_CALL", "params", wire);
  expect(value).toEqual({
    toolName: "read_file",
    params: { relativePath: "a", context_lines: 3, projectKey: "p", webSocketSessionId: "" },
    webSocketSessionId: "",
  });
  expect(diagnostics.map(({ id }) => id)).toEqual(["call-names", "param-names", "null-params", "count-text"]);
});

test.each(["2x", "-1", "1.5", "", true, {}, []])(
  "a count that is %j is refused by its name (reading 9)",
  async (limit) => {
    const wire = { toolName: "grep_file", params: { pattern: "a", limit }, webSocketSessionId: "w" };
    await expect(receive(smanProfiles.spec, "TOOL_CALL", "params", wire)).rejects.toThrow("params.params.limit");
  },
);

test("the specification's own test, which names no session, is accepted (C42, readings 1 and 24)", async () => {
  const wire = { toolName: "grep_file", params: { pattern: "TODO", projectKey: "autoloop" } };
  const { value, diagnostics } = await receive(smanProfiles.spec, "TOOL_CALL", "params", wire, true);
  expect(value).toEqual({
    toolName: "grep_file",
    params: { pattern: "TODO", projectKey: "autoloop", webSocketSessionId: "" },
    webSocketSessionId: "",
  });
  expect(diagnostics).toEqual([]);
});
