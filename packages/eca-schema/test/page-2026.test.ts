import { eca, ecaProfiles } from "@editwire/eca-schema";
import { methodsOf, toJsonSchema } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { words2026 } from "../src/deviations-words.js";
import { later, laterMethods, methods, page } from "./support/page-2026.js";
import { receive } from "./support/package.js";

const in2025 = "only in the dialect of 2025";
const absentIn2025 = "servers of 2025 do not have it; v2026 fills it in";
const emacs = "Emacs answers so outside of a project";
const content = "chat/contentReceived params content";

/** Where the types differ from the page, and why. `+` is what only the types have. */
const differences: Readonly<Record<string, string>> = {
  [`${content} reasonFinished: totalTimeMs:number / totalTimeMs?:number`]: absentIn2025,
  [`${content} toolCallPrepare: + manualApproval?:boolean`]: in2025,
  [`${content} toolCallPrepare: server:string / server?:string`]: absentIn2025,
  [`${content} toolCallRejected: server:string / server?:string`]: absentIn2025,
  [`${content} toolCallRun: server:string / server?:string`]: absentIn2025,
  [`${content} toolCallRunning: server:string / server?:string`]: absentIn2025,
  [`${content} toolCalled outputs: + content?:string`]: in2025,
  [`${content} toolCalled: arguments:object / arguments:object|list`]: "a list in the dialect of 2025",
  [`${content} toolCalled: server:string / server?:string`]: absentIn2025,
  [`${content} toolCalled: totalTimeMs:number / totalTimeMs?:number`]: absentIn2025,
  [`${content} usage: + messageCost?:string`]: in2025,
  [`${content} usage: + messageInputTokens?:number`]: in2025,
  [`${content} usage: + messageOutputTokens?:number`]: in2025,
  "chat/contentReceived params: + requestId?:string|number": in2025,
  "chat/prompt params: + behavior?:string": in2025,
  "chat/prompt params: + requestId?:string|number": "editors of 2026 still send it",
  "chat/queryCommands result commands arguments: required?:boolean / required:boolean": "read as false when absent",
  "config/updated params chat: + behaviors?:list": "servers of 2026 still send it",
  "config/updated params chat: + selectBehavior?:string": "servers of 2026 still send it",
  "editor/getDiagnostics result diagnostics: code?:string / code?:string|number": "language servers also have numbers",
  "editor/getDiagnostics result: + message?:string": emacs,
  "editor/getDiagnostics result: + status?:string": emacs,
  "initialize params capabilities codeAssistant: + doc?:boolean": in2025,
  "initialize params capabilities codeAssistant: + edit?:boolean": in2025,
  "initialize params capabilities codeAssistant: + fix?:boolean": in2025,
  "initialize params initializationOptions: + chatBehavior?:string": in2025,
  "initialize result: + chatBehaviors?:list": in2025,
  "initialize result: + chatDefaultBehavior?:string": in2025,
  "initialize result: + chatDefaultModel?:string": in2025,
  "initialize result: + models?:list": in2025,
  "mcp/addServer result server: disabled:boolean / disabled?:boolean": absentIn2025,
  "mcp/addServer result server: hasAuth:boolean / hasAuth?:boolean": absentIn2025,
  "tool/serverUpdated params mcp: disabled:boolean / disabled?:boolean": absentIn2025,
  "tool/serverUpdated params mcp: hasAuth:boolean / hasAuth?:boolean": absentIn2025,
};

type Json = Readonly<Record<string, unknown>>;

const table = toJsonSchema(eca) as { readonly methods: Readonly<Record<string, Json>> };
const kinds: Readonly<Record<string, string>> = { integer: "number", array: "list" };

/** The variants of a union without null, of a list's items too. */
function variants(schema: Json): Json[] {
  const items = schema["items"] as Json | undefined;
  if (items !== undefined) return variants(items);
  const any = schema["anyOf"] as Json[] | undefined;
  return any === undefined ? [schema] : any.filter(({ type }) => type !== "null").flatMap(variants);
}

const propertiesOf = (schema: Json): Record<string, Json> => (schema["properties"] ?? {}) as Record<string, Json>;

/** The variant of a union that has this word or this index, or the schema of a field. */
function step(schema: Json, word: string): Json {
  const all = variants(schema);
  const found =
    all.find((one) => wordOf(one) === word) ??
    (/^\d$/.test(word) ? all[Number(word)] : all.map((one) => propertiesOf(one)[word]).find(Boolean));
  if (found === undefined) throw new Error(`the types have no ${word}`);
  return found;
}

function kindOf(schema: Json): string {
  const any = schema["anyOf"] as Json[] | undefined;
  if (any !== undefined) return [...new Set(any.map(kindOf))].join("|");
  const type = schema["type"] as string | readonly string[] | undefined;
  return type === undefined
    ? "any"
    : [type]
        .flat()
        .map((word) => kinds[word] ?? word)
        .join("|");
}

/** The fields of an object, by their names, in the notation of the page's table. */
function fieldsAt(way: string): Map<string, string> {
  const [method = "", part = "", ...words] = way.split(" ");
  const [found = {}, ...others] = variants(words.reduce(step, table.methods[method]?.[part] as Json));
  if (others.length > 0) throw new Error(`${way} names several objects`);
  const required = (found["required"] ?? []) as readonly string[];
  return new Map(
    Object.entries(propertiesOf(found)).map(([name, schema]) => {
      const kind = kindOf(schema);
      return [name, `${name}${required.includes(name) || kind === "any" ? "" : "?"}:${kind}`];
    }),
  );
}

/** How the types differ from the page in one object. */
function differencesAt(way: string): string[] {
  const typed = fieldsAt(way);
  const fields = `${page[way] ?? ""} ${later[way] ?? ""}`.split(" ").filter(Boolean);
  const names = fields.map((field) => field.replace(/[?:].*/, ""));
  return [
    ...fields.flatMap((field, index) => {
      const own = typed.get(names[index] ?? "") ?? "absent";
      return own === field ? [] : [`${way}: ${field} / ${own}`];
    }),
    ...[...typed].flatMap(([name, field]) => (names.includes(name) ? [] : [`${way}: + ${field}`])),
  ];
}

/** The word of a variant of a union. */
const wordOf = (schema: Json): unknown =>
  Object.values(propertiesOf(schema)).find((field) => "const" in field)?.["const"];

/**
 * The paths to every object below one, as the types declare them. Objects of an unknown kind, which a union keeps, are
 * left out.
 */
function objectsBelow(way: string, schema: Json): string[] {
  const all = variants(schema);
  return all.flatMap((one, index) => {
    const word = wordOf(one);
    const fields = Object.entries(propertiesOf(one));
    if (fields.length === 0 || (word === undefined && all.some(wordOf))) return [];
    const here = all.length === 1 ? way : `${way} ${String(word ?? index)}`;
    return [here, ...fields.flatMap(([name, field]) => objectsBelow(`${here} ${name}`, field))];
  });
}

const ways = [...new Set([...Object.keys(page), ...Object.keys(later)])];

describe("the types beside the protocol page of 2026", () => {
  test("have its methods, with their senders", () => {
    const expected = [methods, laterMethods].flatMap((each) =>
      Object.entries(each).flatMap(([sender, names]) => names.split(" ").map((name) => `${sender} ${name}`)),
    );
    expect(
      methodsOf(eca)
        .map(([name, { from, kind }]) => `${from} ${kind} ${name}`)
        .sort(),
    ).toEqual(expected.sort());
  });

  test("have its fields, but for the listed differences", () => {
    expect(ways.flatMap(differencesAt).sort()).toEqual(Object.keys(differences).sort());
  });

  test("have no object that the tables leave out, but for repeated ones", () => {
    const fieldsOf = (way: string): string => [...fieldsAt(way).values()].sort().join(" ");
    const known = new Set(ways.map(fieldsOf));
    const typed = Object.entries(table.methods).flatMap(([method, parts]) =>
      ["params", "result"].flatMap((part) =>
        parts[part] === undefined ? [] : objectsBelow(`${method} ${part}`, parts[part] as Json),
      ),
    );
    expect(typed.filter((way) => !known.has(fieldsOf(way)))).toEqual([
      "workspace/didChangeWorkspaceFolders params",
      "workspace/didChangeWorkspaceFolders params event",
    ]);
  });

  test("have its words", () => {
    expect(Object.fromEntries(Object.entries(words2026).map(([key, words]) => [key, [...words].sort()]))).toEqual({
      contexts: ["cursor", "directory", "file", "image", "mcpResource", "repoMap", "text", "web"],
      contents: [
        ...["flag", "hookActionFinished", "hookActionStarted", "image", "metadata", "progress"],
        ...["reasonFinished", "reasonStarted", "reasonText", "text", "toolCallPrepare", "toolCallRejected"],
        ...["toolCallRun", "toolCallRunning", "toolCalled", "url", "usage"],
      ],
      reasons: ["hookRejected", "user", "userChoiceDeny", "userConfigDeny", "userPromptStop", "userStop"],
      commands: ["customPrompt", "mcpPrompt", "native", "skill"],
      promptStatuses: ["error", "login", "prompting"],
      serverStatuses: ["disabled", "failed", "requires-auth", "running", "starting", "stopped"],
      origins: ["mcp", "native", "server", "unknown"],
    });
  });
});

test.each(Object.values(ecaProfiles))(
  "$name reads null for a cursor that leads nowhere, in a strict v2026 too",
  async (profile) => {
    const meta = { total: 3, returned: 3, beforeCursor: null, afterCursor: null, compactionCursor: null };
    for (const [method, result] of Object.entries({ "chat/open": { found: true }, "chat/history": { contents: [] } })) {
      const strict = profile === ecaProfiles.v2026;
      const { value, diagnostics } = await receive(profile, method, "result", { ...result, meta }, strict);
      expect(value).toEqual({ ...result, meta: { total: 3, returned: 3 } });
      expect(diagnostics).toEqual([]);
    }
  },
);
