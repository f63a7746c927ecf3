import type { AcpTurnEvent } from "../src/index.js";

/** What an agent said in a turn, and how the turn ended, such as `Hello|end_turn`. */
export async function textOf(turn: AsyncIterable<AcpTurnEvent>): Promise<string> {
  let said = "";
  for await (const event of turn)
    said += event.type === "text" ? event.text : event.type === "stop" ? `|${event.stopReason}` : "";
  return said;
}
