/** The processes of the demo. */
export const partNames = ["helix-host", "ide", "agent", "eca-editor", "acp-editor", "kaiak-client"] as const;

/** The name of a process. */
export type PartName = (typeof partNames)[number];

/** One message between two processes, as the timeline shows it. */
export interface Entry {
  readonly from: PartName;
  readonly to: PartName;
  readonly protocol: string;
  /** The message in short. */
  readonly text: string;
  /** The kind of a piece that goes on with the piece before it, such as the text of an answer. */
  readonly goesOn?: string | undefined;
}

/** A message of a process to the demo. */
export type Told =
  | { readonly type: "entry"; readonly entry: Entry }
  /** A step of the process, or an event. */
  | { readonly type: "note"; readonly text: string }
  /** The agent has a session for the task of the host. */
  | { readonly type: "thread"; readonly sessionId: string }
  /** The command to this process has ended. */
  | { readonly type: "over"; readonly text: string }
  /** The process stops here until it is killed, because it was started with `hold`. */
  | { readonly type: "holds" };

/** A command of the demo, in place of a user, to a process. */
export type Command =
  /** Show a session of the agent. */
  | { readonly type: "open"; readonly sessionId: string }
  /** Say something in the session that is shown. */
  | { readonly type: "say"; readonly text: string }
  /** Fix an incident. */
  | { readonly type: "fix"; readonly message: string };

/** Where everything is. It stays the same when a process is started again. */
export interface Places {
  /** The project, which the IDE has open. */
  readonly project: string;
  /** A folder for sockets, and for what processes keep. */
  readonly folder: string;
  readonly hostPort: number;
  readonly acpPort: number;
  readonly idePort: number;
  readonly token: string;
}

/** How a process is started. */
export interface PartOptions extends Places {
  /** Stop at a telling moment, so that the process can be killed there. */
  readonly hold: boolean;
}

/** The Unix socket on which the agent serves ECA; on Windows, a named pipe. */
export const ecaSocket = (places: Places): string => socketIn(places, "eca");

/** The Unix socket on which the agent serves Kaiak; on Windows, a named pipe. */
export const kaiakSocket = (places: Places): string => socketIn(places, "kaiak");

function socketIn({ folder, acpPort }: Places, name: string): string {
  return process.platform === "win32" ? `\\\\.\\pipe\\editwire-full-${acpPort}-${name}` : `${folder}/${name}.sock`;
}

/** Tells the demo something. */
export function tell(told: Told): void {
  process.send?.(told);
}
