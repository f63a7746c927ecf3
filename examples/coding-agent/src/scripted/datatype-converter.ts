/** A Java source without `DatatypeConverter`, and what it uses in its place. */
export interface Replaced {
  readonly text: string;
  /** Classes that it uses now, such as `java.util.Base64`. */
  readonly classes: readonly string[];
  /** Methods of `DatatypeConverter` that are still called, because this script does not know them. */
  readonly left: readonly string[];
}

/** Calls that do the same on Java 17. The MIME decoder passes over line breaks, as the old method does. */
const replacements: Readonly<Record<string, { readonly class: string; readonly call: string }>> = {
  printBase64Binary: { class: "java.util.Base64", call: "Base64.getEncoder().encodeToString" },
  parseBase64Binary: { class: "java.util.Base64", call: "Base64.getMimeDecoder().decode" },
  printHexBinary: { class: "java.util.HexFormat", call: "HexFormat.of().withUpperCase().formatHex" },
  parseHexBinary: { class: "java.util.HexFormat", call: "HexFormat.of().parseHex" },
};

const importLine = /^import javax\.xml\.bind\.DatatypeConverter;\n/m;

/** Replaces calls of `javax.xml.bind.DatatypeConverter` by classes of Java 17. */
export function withoutDatatypeConverter(source: string): Replaced {
  const classes = new Set<string>();
  const left = new Set<string>();
  const body = source.replace(/\b(?:javax\.xml\.bind\.)?DatatypeConverter\.(\w+)/g, (whole, method: string) => {
    const known = Object.hasOwn(replacements, method) ? replacements[method] : undefined;
    if (known === undefined) left.add(method);
    else classes.add(known.class);
    return known?.call ?? whole;
  });
  const missing = [...classes].sort().filter((name) => !body.includes(`import ${name};\n`));
  const imports = missing.map((name) => `import ${name};\n`).join("");
  return { text: withImports(body, imports, left.size === 0), classes: [...classes].sort(), left: [...left] };
}

/** Puts imports in the place of the old one, or below the package where that stays or was never there. */
function withImports(body: string, imports: string, dropOld: boolean): string {
  if (dropOld && importLine.test(body)) return body.replace(importLine, imports);
  if (imports === "") return body;
  return /^package .*\n/m.test(body) ? body.replace(/^package .*\n/m, (line) => `${line}\n${imports}`) : imports + body;
}
