import { describe, expect, it } from "vitest";
import { type AcpPermissionAnswer, permissionPolicy, type AcpPermissionQuestion } from "../src/index.js";

const options = (["allow_always", "allow_once", "reject_once", "reject_always"] as const).map((kind) => ({
  optionId: `id-${kind}`,
  name: kind,
  kind,
}));

function question(kind: string | undefined, sessionId = "s1", name?: string): AcpPermissionQuestion {
  return { sessionId, toolCall: { toolCallId: "c", title: "t", kind, name }, options };
}

const context = { signal: new AbortController().signal };

describe("P19: a permission policy", () => {
  it("decides by the kind of the tool, and rejects what no rule decides", async () => {
    const decide = permissionPolicy({ kinds: { read: "allow_once", delete: "reject_once", edit: "ask" } });
    const kinds = ["read", "delete", "edit", "execute", undefined, "constructor"];
    expect(await Promise.all(kinds.map((kind) => decide(question(kind), context)))).toEqual([
      "allow_once",
      "reject_once",
      "reject_once",
      "reject_once",
      "reject_once",
      "reject_once",
    ]);
  });

  it("asks once for an answer that holds always: for the kind and name of the tool, and the session", async () => {
    const asked: string[] = [];
    const answers: (AcpPermissionAnswer | undefined)[] = [];
    const decide = permissionPolicy({
      ask: async ({ sessionId, toolCall: { kind, name } }) => {
        asked.push([sessionId, kind, name].join(" "));
        return answers.shift();
      },
    });
    const run = (...args: Parameters<typeof question>): Promise<unknown> => decide(question(...args), context);
    answers.push({ optionId: "id-allow_always" }, "allow_once", "reject_always", "cancelled", undefined);
    expect(await run("edit")).toEqual({ optionId: "id-allow_always" });
    expect(await run("edit")).toBe("allow_always");
    expect(await run("edit", "s2")).toBe("allow_once");
    expect(await run("execute")).toBe("reject_always");
    expect(await run("execute")).toBe("reject_always");
    expect(await run("execute", "s1", "bash")).toBe("cancelled");
    expect(await run("execute", "s1", "bash")).toBeUndefined();
    expect(asked).toEqual(["s1 edit ", "s2 edit ", "s1 execute ", "s1 execute bash", "s1 execute bash"]);
  });

  it("asks each time about tools that neither a kind nor a name tells apart", async () => {
    let asked = 0;
    const decide = permissionPolicy({ ask: async () => ((asked += 1), "allow_always") });
    for (const kind of [undefined, undefined, "other", "other"]) await decide(question(kind), context);
    expect(asked).toBe(4);
    for (let time = 1; time <= 2; time++) await decide(question("other", "s1", "search"), context);
    expect(asked).toBe(5);
  });

  it("asks where several options have the kind of a rule, and remembers which of them was chosen", async () => {
    const yes = ["this file", "this folder"].map((name) => ({ optionId: name, name, kind: "allow_always" as const }));
    const several = { ...question("edit"), options: [...yes, ...(options.slice(2) as typeof options)] };
    let asked = 0;
    const decide = permissionPolicy({
      kinds: { edit: "allow_always" },
      ask: async () => ((asked += 1), { optionId: "this folder" }),
    });
    expect(await decide(several, context)).toEqual({ optionId: "this folder" });
    expect(await decide(several, context)).toEqual({ optionId: "this folder" });
    expect(asked).toBe(1);
    const renamed = {
      ...several,
      options: several.options.map((one) => ({ ...one, optionId: `new ${one.optionId}` })),
    };
    await decide(renamed, context);
    expect(asked).toBe(2);
    expect(await decide(question("edit", "s2"), context)).toBe("allow_always");
  });
});
