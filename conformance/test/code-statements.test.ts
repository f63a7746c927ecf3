import { expect, test } from "vitest";
import { statementsOf } from "../src/core/registry/statements.js";

const spec = `## Open

_Request:_

\`\`\`typescript
interface OpenParams {
    /**
     * Where to.
     */
    path: string;

    options?: {
        /* How fast. */
        speed: 'slow' | 'fast';
    };

    items: [{
        name: string;
    }];
}

/** The opened thing. */
interface Thing {
    kind: Kind;
}

type Kind =
    | 'a'
    | 'b';

interface Nothing {}
\`\`\`

\`\`\`json
{ "type": "no statement" }
\`\`\`
`;

test("declarations in TypeScript are statements, by their names", () => {
  const statements = statementsOf(spec);
  expect(Object.fromEntries(statements.map(({ anchor, text }) => [anchor, text]))).toEqual({
    "open:OpenParams.path": "/** * Where to. */ path: string;",
    "open:OpenParams.options": "options?: {",
    "open:OpenParams.options.speed": "/* How fast. */ speed: 'slow' | 'fast';",
    "open:OpenParams.items": "items: [{",
    "open:OpenParams.items.name": "name: string;",
    "open:Thing": "/** The opened thing. */ interface Thing {",
    "open:Thing.kind": "kind: Kind;",
    "open:Kind": "type Kind = | 'a' | 'b';",
    "open:Nothing": "interface Nothing {}",
  });
  const kind = statements.find(({ anchor }) => anchor === "open:Thing.kind");
  expect(spec.split("\n")[(kind?.line ?? 0) - 1]?.trim()).toBe("kind: Kind;");
});
