import { type AcpAgentTurn, connectAcp, serveAcp } from "@editwire/acp";
import { type AcpProfile, acpProfiles, type AcpResult } from "@editwire/acp-schema";
import { detecting } from "@editwire/framing";
import { spawnTransport, stdioTransport } from "@editwire/transport/node";
import type { Contender, Link } from "./contender.js";

const resultKey = "bench/result";

/** The ACP binding in the dialect that it speaks by default. */
export const contender: Contender = bindingIn(acpProfiles.spec);
/** The ACP binding in the dialect of the official SDK, whose bytes on the wire are those of the other contenders. */
export const v1Contender: Contender = bindingIn(acpProfiles.v1);

/**
 * A call becomes a prompt turn, the updates are sent through the turn and read by iterating it: what users write.
 * The result of a call is in the `_meta` of the turn's answer.
 */
function bindingIn(profile: AcpProfile): Contender {
  return {
    async spawn(argv, handlers) {
      const transport = spawnTransport(argv, detecting({ follow: "none" }));
      const agent = await connectAcp(transport, { profile, onError: (error) => console.error(error) });
      const session = await agent.newSession({ cwd: process.cwd() });
      return {
        async call(method, params) {
          const turn = session.prompt(JSON.stringify({ method, params }));
          for await (const event of turn) {
            if (event.type !== "stop") await handlers.update({ sessionId: session.id, update: event.update });
          }
          return (await turn.answer)._meta?.[resultKey];
        },
        update: () => {},
        close: () => agent.close(),
      };
    },
    stdio(handlers) {
      const prompt = async (turn: AcpAgentTurn): Promise<AcpResult<"session/prompt">> => {
        const { method, params } = JSON.parse(turn.promptText) as { method: string; params: unknown };
        const link: Link = {
          call: () => Promise.resolve(),
          update: ({ update }) => turn.update(update),
          close: () => {},
        };
        const result = await handlers.call(method, params, link);
        return { stopReason: "end_turn", _meta: { [resultKey]: result } };
      };
      serveAcp(stdioTransport(detecting()), { prompt }, { profile, onError: (error) => console.error(error) });
    },
  };
}
