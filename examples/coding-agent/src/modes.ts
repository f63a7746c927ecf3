/** What a tool does to the machine, from nothing to running programs. */
export type Access = "none" | "read" | "write" | "execute";

const granted: Readonly<Record<string, readonly Access[]>> = {
  full: ["none", "read", "write", "execute"],
  safe: ["none", "read", "write"],
  "read-only": ["none", "read"],
  sandbox: ["none"],
};

/** Says whether a session mode (spec 9) allows a kind of access. An unknown mode allows nothing on the machine. */
export function modeAllows(modeId: string, access: Access): boolean {
  const accesses = Object.hasOwn(granted, modeId) ? granted[modeId] : undefined;
  return (accesses ?? ["none"]).includes(access);
}

/** Says whether the user is asked first: before every write and every execution, in every mode. */
export function needsPermission(access: Access): boolean {
  return access === "write" || access === "execute";
}
