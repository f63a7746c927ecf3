/** The extensions of the types that have a name. */
const types: Readonly<Record<string, readonly string[]>> = {
  config: ["properties", "yml", "yaml", "xml"],
  java: ["java"],
  javascript: ["js", "jsx", "mjs", "cjs"],
  kotlin: ["kt", "kts"],
  python: ["py"],
  typescript: ["ts", "tsx", "mts", "cts"],
};

/** The extensions of a named type, or the one that is given as `.ts`; every file for any other value. */
export function extensionsOf(type: string): readonly string[] | undefined {
  if (Object.hasOwn(types, type)) return types[type];
  return /^\.\w+$/.test(type) ? [type.slice(1)] : undefined;
}
