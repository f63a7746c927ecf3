import { describe, expect, test } from "vitest";
import { statementsOf } from "../../src/core/registry/statements.js";
import { changeAt, declaredBelow, gone } from "../../src/generate/declarations.js";

const spec = `# Say

\`\`\`typescript
interface SayParams {
    parts: Part[];
    /** Who says it. */
    by?: {
        name: string;
    };
    note: any;
    mood: Mood;
}

type Part = Text | Link;

interface Text {
    type: 'text';
    text: string;
}

interface Link {
    type: 'link';
    targets: [{
        url: string;
    }];
}

type Mood = 'good' | 'bad';
\`\`\`
`;
const items = { items: true };

describe("the declarations below a root", () => {
  const below = declaredBelow(statementsOf(spec));

  test("have the place where each one stands in a message", () => {
    expect(Object.fromEntries(below("SayParams").map(({ at, path }) => [at, path]))).toEqual({
      "say:SayParams.parts": ["parts"],
      "say:Part": ["parts", items],
      "say:Text.type": ["parts", items, { type: "text" }, "type"],
      "say:Text.text": ["parts", items, { type: "text" }, "text"],
      "say:Link.type": ["parts", items, { type: "link" }, "type"],
      "say:Link.targets": ["parts", items, { type: "link" }, "targets"],
      "say:Link.targets.url": ["parts", items, { type: "link" }, "targets", items, "url"],
      "say:SayParams.by": ["by"],
      "say:SayParams.by.name": ["by", "name"],
      "say:SayParams.mood": ["mood"],
      "say:Mood": ["mood"],
    });
  });

  test("include members of a union that the specification forgets", () => {
    const forgetful = statementsOf(spec.replace("Text | Link", "Text"));
    const anchors = declaredBelow(forgetful, { Part: ["Link"] })("SayParams").map(({ at }) => at);
    expect(anchors).toContain("say:Link.targets.url");
  });

  test("are none below a root that is not declared", () => expect(below("Nothing")).toEqual([]));
});

describe("a change at a path", () => {
  const value = {
    parts: [
      { type: "text", text: "a" },
      { type: "link", targets: [{ url: "b" }] },
    ],
  };

  test("is made at every place that it leads to, and nowhere else", () => {
    const path = ["parts", { items: true }, { type: "text" }, "text"] as const;
    expect(changeAt(value, path, () => 7)).toEqual({ parts: [{ type: "text", text: 7 }, value.parts[1]] });
  });

  test("can leave a field out", () => {
    const path = ["parts", { items: true }, { type: "link" }, "targets"] as const;
    expect(changeAt(value, path, () => gone)).toEqual({ parts: [value.parts[0], { type: "link" }] });
  });

  test("changes nothing where the place does not exist", () => {
    expect(changeAt(value, ["by", "name"], () => 7)).toEqual(value);
    expect(changeAt("text", ["parts"], () => 7)).toBe("text");
  });
});
