/** One way in which the params of a request are wrong. */
export interface Malformation {
  /** Part of a case id, such as `cwd-missing`. */
  readonly name: string;
  /** For a title, such as `without cwd`. */
  readonly says: string;
  /** Whether the params are still an object or an array, so that the message is a JSON-RPC request. */
  readonly structured: boolean;
  /** Makes the wrong fields of a message, `{}` or `{params}`, of valid params. */
  apply(valid: Readonly<Record<string, unknown>>): { readonly params?: unknown };
}

const values: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["boolean", true],
  ["number", 7],
  ["string", "1"],
  ["array", []],
  ["object", {}],
];

/**
 * Every way to get the params of a method wrong at the top: none at all, another JSON type, each required key left out,
 * and each required key with another type. `fits` decides what is wrong. Throws a `TypeError` for a sample that does
 * not fit.
 */
export function malformations(
  fits: (params: unknown) => boolean,
  valid: Readonly<Record<string, unknown>>,
): Malformation[] {
  if (!fits(valid)) throw new TypeError(`the sample is not valid: ${JSON.stringify(valid)}`);
  const without = (key: string, params: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(params).filter(([name]) => name !== key));
  const required = Object.keys(valid).filter((key) => !fits(without(key, valid)));
  if (required.length === 0) return [];
  return [
    { name: "params-absent", says: "without params", structured: true, apply: () => ({}) },
    ...values
      .filter(([type]) => type !== "object")
      .map(([type, params]): Malformation => {
        return {
          name: `params-${type}`,
          says: `with ${type} as params`,
          structured: type === "array",
          apply: () => ({ params }),
        };
      }),
    ...required.flatMap((key): Malformation[] => [
      {
        name: `${key}-missing`,
        says: `without ${key}`,
        structured: true,
        apply: (params) => ({ params: without(key, params) }),
      },
      ...values
        .filter(([, value]) => !fits({ ...valid, [key]: value }))
        .map(([type, value]): Malformation => {
          return {
            name: `${key}-${type}`,
            says: `with ${type} as ${key}`,
            structured: true,
            apply: (params) => ({ params: { ...params, [key]: value } }),
          };
        }),
    ]),
  ];
}
