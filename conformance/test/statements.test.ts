import { describe, expect, test } from "vitest";
import { pin, statementsOf } from "../src/core/registry/statements.js";

const spec = `# Title

Intro one. Intro \`a. B\` two.

## 1. First

**Label**

| field | type |
|---|---|
| a | string |
| b \\| c | x |

Text between.

| other | y |
|---|---|
| d | e |

1. **One**:
   - nested
   continued
2. Two

\`\`\`json
{ "not": "a statement. At all." }
\`\`\`

### Sub part

Says something:
- last
`;

describe("statementsOf", () => {
  const statements = statementsOf(spec);
  const byAnchor = Object.fromEntries(statements.map(({ anchor, text }) => [anchor, text]));

  test("finds rows, items and sentences, and nothing else", () => {
    expect(byAnchor).toEqual({
      "title:s1": "Intro one.",
      "title:s2": "Intro `a. B` two.",
      "1:t1r1": "| a | string |",
      "1:t1r2": "| b \\| c | x |",
      "1:s1": "Text between.",
      "1:t2r1": "| d | e |",
      "1:l1": "**One**:",
      "1:l2": "nested continued",
      "1:l3": "Two",
      "1/sub-part:s1": "Says something:",
      "1/sub-part:l1": "last",
    });
  });

  test("knows the line of each", () => {
    expect(spec.split("\n")[(statements.find(({ anchor }) => anchor === "1:t2r1")?.line ?? 0) - 1]).toBe("| d | e |");
  });

  test("numbers the sections of one slug", () => {
    const anchors = statementsOf("## Flow 1: A\n\n### Steps\n\nOne.\n\n## Flow 2: B\n\n### Steps\n\nTwo.\n").map(
      ({ anchor }) => anchor,
    );
    expect(anchors).toEqual(["steps:s1", "steps-1:s1"]);
  });

  test("refuses two sections of one number", () => {
    expect(() => statementsOf("## 1. A\n\nText.\n\n## 1. B\n\nText.\n")).toThrow(/line 7.*ambiguous/);
  });

  test("names a number that comes again below the heading that contains it", () => {
    const spec = "## API\n\n### 1. Add\n\nOne.\n\n## Flow\n\n### 1. Begin\n\nTwo.\n\n## End\n\nThree.\n";
    expect(statementsOf(spec).map(({ anchor }) => anchor)).toEqual(["1:s1", "flow/1:s1", "end:s1"]);
  });

  test("takes examples in JSON, each as a whole, where the spec counts them", () => {
    const text = '{ "not": "a statement. At all." }';
    expect(statementsOf(spec, { examples: true }).filter(({ anchor }) => anchor.includes(":j"))).toEqual([
      { anchor: "1:j1", text, line: spec.split("\n").indexOf(text) + 1 },
    ]);
  });

  test("pins text, not its line breaks", () => {
    expect(pin("a\n  b")).toBe(pin("a b"));
    expect(pin("a b")).not.toBe(pin("a c"));
  });
});
