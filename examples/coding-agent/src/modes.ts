import type { SessionConfigOption, SessionModeState } from "@editwire/agent";

/** The effect of a tool on the machine, from none to running programs. */
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

/** The modes that a session offers, and the one in which it starts. */
export const sessionModes: SessionModeState = {
  currentModeId: "full",
  availableModes: [
    { id: "full", name: "Full access", description: "Reads; asks before it writes files and runs programs" },
    { id: "safe", name: "Safe", description: "Reads; asks before it writes files; runs no programs" },
    { id: "read-only", name: "Read-only", description: "Reads; neither writes files nor runs programs" },
    { id: "sandbox", name: "Sandbox", description: "Has no access to files and programs" },
  ],
};

/** The model as a setting with one value, so that editors show it. */
export function modelOption(name: string): SessionConfigOption {
  const options = [{ value: name, name }];
  return { id: "model", name: "Model", category: "model", type: "select", currentValue: name, options };
}

/** The modes as a setting, which is what version 1 of ACP shows; `createAgent` makes modes of it in every protocol. */
export const modeOption: SessionConfigOption = {
  id: "mode",
  name: "Mode",
  category: "mode",
  type: "select",
  currentValue: sessionModes.currentModeId,
  options: sessionModes.availableModes.map(({ id, name, description }) => ({ value: id, name, description })),
};
