import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AcpProfile, acpProfiles } from "@editwire/acp";
import { spawnAcp } from "@editwire/acp/node";
import { ecaProfiles } from "@editwire/eca";
import { spawnEca } from "@editwire/eca/node";
import { helixZedProfiles } from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { spawnKaiak } from "@editwire/kaiak/node";
import { acpLines, ecaLines, helixZedLines, kaiakLines } from "./editor-lines.js";

/** How the user of an editor answers. A permission that is never answered waits. */
export interface MatrixUser {
  permission: "allow" | "reject" | "never";
  /** Called when the user is asked. */
  onAsked?: (() => void) | undefined;
}

/** A running turn in an editor. */
export interface MatrixTurn {
  /**
   * The editor's output: a line `fact: value` for each known fact, and each event as JSON. Calls `onLine` with each of
   * them.
   */
  lines(onLine?: (line: string) => void): Promise<string[]>;
  cancel(): unknown;
}

/** One session in an editor. */
export interface MatrixSession {
  /** The id under which it is listed and loaded. */
  readonly id: () => string;
  prompt(text: string): MatrixTurn;
  /** All that the session shows by now, as JSON. */
  shown(): string;
  /** Adds a text to the running turn. Absent: the protocol has no way to. */
  steer?(text: string): Promise<unknown>;
  setMode?(mode: string): Promise<void>;
  setModel?(model: string): Promise<void>;
}

/** An editor of one protocol, with the gateway that it has started. */
export interface MatrixEditor {
  newSession(): Promise<MatrixSession>;
  /** The ids of the sessions. Absent: the protocol has no list. */
  list?(): Promise<string[]>;
  /** A session of an earlier process, as JSON. Absent: the protocol loads nothing. */
  load?(id: string): Promise<string>;
  close(): Promise<unknown>;
}

type Notes = (...lines: readonly string[]) => void;

/** Runs `read` with a function that notes lines. Its error is the error of the turn. */
function turnOf(asked: string[], read: (note: Notes) => Promise<void>): MatrixTurn["lines"] {
  return async (onLine = () => {}) => {
    const lines: string[] = [];
    const note: Notes = (...more) => {
      lines.push(...asked.splice(0), ...more);
      for (const line of more) onLine(line);
    };
    try {
      await read(note);
    } catch (error) {
      note(`stop_error: ${(error as Error).message}`, "stop: error");
    }
    return lines;
  };
}

const json = (event: object): string => JSON.stringify(event, (key, value) => (key === "received" ? undefined : value));
const never = (): Promise<never> => new Promise(() => {});

/** An editor of ACP. */
async function acpEditor(
  command: readonly string[],
  user: MatrixUser,
  env: Readonly<Record<string, string>>,
  profile: AcpProfile,
): Promise<MatrixEditor> {
  const asked: string[] = [];
  const client = await spawnAcp(command, {
    env,
    profile,
    // Only the specification has headers: by them, an agent knows the dialect.
    framing: profile === acpProfiles.spec ? "content-length" : "ndjson",
    clientCapabilities: profile === acpProfiles.v1 ? { session: { notices: {}, configOptions: { boolean: {} } } } : {},
    async permission({ toolCall: { title }, options }) {
      asked.push(`permission: ${title}`, `permission_options: ${options.map(({ name }) => name).join("/")}`);
      user.onAsked?.();
      const right = options.find(({ name }) => name === "right");
      if (right !== undefined) return { optionId: right.optionId };
      if (user.permission !== "allow") return user.permission === "never" ? never() : "reject_once";
      return options.some(({ kind }) => kind === "allow_once") ? "allow_once" : "allow_always";
    },
    fs: { readTextFile: async () => ({ content: "lent" }) },
    terminals: {
      create: async () => ({ terminalId: "t1" }),
      output: async () => ({ output: "", truncated: false }),
      waitForExit: async () => ({ exitCode: 7 }),
      kill: async () => {},
      release: async () => {},
    },
    elicitation: {
      async form({ message, requestedSchema: { properties = {} } }) {
        const { oneOf = [] } = (properties["answer"] ?? {}) as {
          readonly oneOf?: readonly { readonly const: string }[];
        };
        asked.push(`question: ${message} ${oneOf.map((one) => one.const).join("/")}`);
        return { action: "accept", content: { answer: oneOf.length > 0 ? "right" : "words" } };
      },
    },
    onError: () => {},
  });
  return {
    close: () => client.close(),
    list: async () => (await client.listSessions()).sessions.map(({ sessionId }) => sessionId),
    load: async (sessionId) => json((await client.loadSession({ sessionId, cwd: "/p" })).history as object),
    async newSession() {
      const session = await client.newSession({ cwd: "/p" });
      return {
        id: () => session.id,
        setMode: async (mode) => void (await session.setMode(mode)),
        setModel: async (model) => void (await session.setConfigOption("model", model)),
        steer: (text) =>
          client.connection.request("session/prompt", { sessionId: session.id, prompt: [{ type: "text", text }] }),
        shown: () => json(session.state.entries),
        prompt(text) {
          const turn = session.prompt(text);
          const lines = turnOf(asked, async (note) => {
            for await (const event of turn) note(...acpLines(event), json(event));
            note(...(session.state.commands ?? []).map(({ name }) => `commands: ${name}`));
          });
          return { lines, cancel: () => turn.cancel() };
        },
      };
    },
  };
}

/** An editor of ECA, of 2026. */
async function ecaEditor(
  command: readonly string[],
  user: MatrixUser,
  env: Readonly<Record<string, string>>,
): Promise<MatrixEditor> {
  const asked: string[] = [];
  const client = await spawnEca(command, {
    env,
    profile: ecaProfiles.v2026,
    workspaceFolders: [{ name: "p", uri: "file:///p" }],
    async permission({ title }) {
      // A call that the agent has begun already asks as a second call.
      asked.push(`permission: ${title.replace(/^Permission: /, "")}`, "permission_options: approve/reject");
      user.onAsked?.();
      return user.permission === "never" ? never() : user.permission === "allow" ? "allow_once" : "reject_once";
    },
    async question({ question, options = [] }) {
      asked.push(`question: ${question} ${options.map(({ label }) => label).join("/")}`);
      return options.length > 0 ? "right" : "words";
    },
    onError: () => {},
  });
  return {
    close: () => client.close(),
    list: async () => (await client.listSessions()).map(({ id }) => id),
    load: async (sessionId) => json((await client.loadSession({ sessionId }))?.state.entries as object),
    async newSession() {
      const session = client.newSession();
      return {
        id: () => session.id ?? "",
        setMode: (mode) => session.agents.select(mode),
        setModel: (model) => session.models.select(model),
        steer: (text) => session.steer(text),
        shown: () => json(session.state.entries),
        prompt(text) {
          const turn = session.prompt(text);
          const lines = turnOf(asked, async (note) => {
            for await (const event of turn) note(...ecaLines(event), json(event));
            note(`mode: ${session.agents.selected}`, `config_options: ${session.models.selected}`);
            note(...(await session.queryCommands("")).map(({ name }) => `commands: ${name}`));
          });
          return { lines, cancel: () => turn.cancel() };
        },
      };
    },
  };
}

/** A client of Kaiak. A text is the message of an incident. */
async function kaiakEditor(
  command: readonly string[],
  user: MatrixUser,
  env: Readonly<Record<string, string>>,
): Promise<MatrixEditor> {
  const asked: string[] = [];
  const client = await spawnKaiak(command, {
    env,
    async question({ type, prompt, options }) {
      if (type === "choice" || type === "text_input") {
        asked.push(`question: ${prompt} ${options.join("/")}`);
        return options.length > 0 ? "right" : "words";
      }
      asked.push(`permission: ${prompt}`, `permission_options: ${options.join("/")}`);
      user.onAsked?.();
      if (user.permission === "never") return undefined;
      return options.find((option) => option.includes(user.permission === "allow" ? "a" : "deny"));
    },
    onError: () => {},
  });
  return {
    close: () => client.close(),
    async newSession() {
      const session = client.newSession();
      return {
        id: () => session.id ?? "",
        shown: () => json(session.state.entries),
        prompt(text) {
          const turn = session.prompt([{ id: "1", rule_id: "r", message: text }]);
          const lines = turnOf(asked, async (note) => {
            for await (const event of turn) note(...kaiakLines(event), json(event));
          });
          return { lines, cancel: () => turn.cancel() };
        },
      };
    },
  };
}

/** A Helix-like host. The gateway dials it, so its process is not one that the host has started. */
async function helixZedEditor(
  [program = "", ...args]: readonly string[],
  _user: MatrixUser,
  env: Readonly<Record<string, string>>,
): Promise<MatrixEditor> {
  const host = await listenHelixZed({ profile: helixZedProfiles.v2026, onError: () => {} });
  const child: ChildProcess = spawn(program, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...env, EDITWIRE_HOST: host.url },
  });
  let sessions = 0;
  return {
    async close() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      await host.close();
    },
    async newSession() {
      const session = await host.session(`s${++sessions}`, { agent: "ses_1" });
      session.subscribe(() => {}); // the state is kept up to date for those who follow it
      return {
        id: () => session.id,
        shown: () => json(session.state.entries),
        prompt(text) {
          const turn = session.prompt(text);
          const lines = turnOf([], async (note) => {
            for await (const event of turn) note(...helixZedLines(event), json(event));
            note(`info: ${session.state.title}`);
          });
          return { lines, cancel: () => turn.cancel() };
        },
      };
    },
  };
}

/** The editors by the names of the sides. */
export const matrixEditors = {
  "acp-spec": (command, user, env) => acpEditor(command, user, env, acpProfiles.spec),
  "acp-v1": (command, user, env) => acpEditor(command, user, env, acpProfiles.v1),
  eca: ecaEditor,
  kaiak: kaiakEditor,
  "helix-zed": helixZedEditor,
} satisfies Record<
  string,
  (command: readonly string[], user: MatrixUser, env: Readonly<Record<string, string>>) => Promise<MatrixEditor>
>;

/** A side of a gateway: a protocol, or a dialect of it. */
export type Side = keyof typeof matrixEditors;
