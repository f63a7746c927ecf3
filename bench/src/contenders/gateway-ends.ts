import { serveAcpStdio, spawnAcp } from "@editwire/acp/node";
import { type Agent, fromAcp, fromEca, toAcp, toEca } from "@editwire/agent";
import { serveEcaStdio, spawnEca } from "@editwire/eca/node";

/** A protocol of either side of a gateway. */
export type GatewayProtocol = "acp" | "eca";

/** The agent's work in a turn: it sends this many texts of this many characters. */
export interface GatewayErrand {
  readonly texts: number;
  readonly chars: number;
}

/** An editor with one session. */
export interface GatewayEditor {
  /** Makes a turn, and calls `onText` with each text; it is awaited before the next one is read. */
  turn(errand: GatewayErrand, onText: (text: string) => void | Promise<void>): Promise<void>;
  close(): unknown;
}

/** The part of a session and of a turn that both protocols share. */
interface Session {
  prompt(text: string): AsyncIterable<{ readonly type: string; readonly text?: string }>;
}
interface Turn {
  readonly promptText: string;
  text(text: string): void | Promise<void>;
}

const options = { onError: (error: unknown): void => console.error(error) };

/** Starts an agent, or a gateway to one, as an editor does. */
export async function openEditor(protocol: GatewayProtocol, argv: readonly string[]): Promise<GatewayEditor> {
  if (protocol === "acp") {
    const agent = await spawnAcp(argv, options);
    return editorOf((await agent.newSession({ cwd: process.cwd() })) as Session, () => agent.close());
  }
  const server = await spawnEca(argv, options);
  return editorOf(server.newSession() as Session, () => server.close());
}

function editorOf(session: Session, close: () => unknown): GatewayEditor {
  return {
    async turn(errand, onText) {
      for await (const { type, text } of session.prompt(JSON.stringify(errand)))
        if (type === "text" && text !== undefined) await onText(text);
    },
    close,
  };
}

/** Serves an agent that does errands, on stdin and stdout. */
export function serveErrands(protocol: GatewayProtocol): void {
  const prompt = async (turn: Turn): Promise<void> => {
    const { texts, chars } = JSON.parse(turn.promptText) as GatewayErrand;
    const text = "The reader keeps what follows. ".repeat(Math.ceil(chars / 30)).slice(0, chars);
    for (let count = 0; count < texts; count += 1) {
      const room = turn.text(text);
      if (room !== undefined) await room;
    }
  };
  if (protocol === "acp") serveAcpStdio({ prompt }, options);
  else serveEcaStdio({ prompt }, options);
}

/** Serves editors of one protocol with an agent of another, on stdin and stdout. */
export function serveGateway(editor: GatewayProtocol, agent: GatewayProtocol, argv: readonly string[]): void {
  const far: Agent =
    agent === "acp"
      ? fromAcp((handlers) => spawnAcp(argv, handlers), options)
      : fromEca((handlers) => spawnEca(argv, handlers), options);
  if (editor === "acp") serveAcpStdio(toAcp(far), options);
  else serveEcaStdio(toEca(far), options);
}
