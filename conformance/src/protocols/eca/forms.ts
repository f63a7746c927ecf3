/** Forms that the text of the specification does not have, by the role that writes them. */
export const forms = {
  server: [
    "A1",
    "A2",
    "A3",
    "A4",
    "A5",
    "A6",
    "A7",
    "A8",
    "A12",
    "A13",
    "A14",
    "A15",
    "A28",
    "A32",
    "content-type",
    "tool-fields",
  ],
  client: ["A9", "A11", "A19", "A20", "A21", "A22", "A25"],
  both: ["A10", "A24", "resource-fields"],
} as const;

/** The rows of the deviations table that have their own requirement. */
export const formIds: ReadonlySet<string> = new Set(Object.values(forms).flat());
