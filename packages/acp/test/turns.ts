import type { AcpTurnEvent } from "../src/index.js";

/** The agent's text in a turn, and the end of the turn, such as `Hello|end_turn`. */
export async function textOf(turn: AsyncIterable<AcpTurnEvent>): Promise<string> {
  let said = "";
  for await (const event of turn)
    said += event.type === "text" ? event.text : event.type === "stop" ? `|${event.stopReason}` : "";
  return said;
}
