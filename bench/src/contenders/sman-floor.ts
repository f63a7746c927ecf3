import type { Contender } from "./contender.js";
import { dialWebSocket, listenWebSocket } from "./web-sockets.js";

interface Call {
  readonly toolCallId: string;
  readonly params: { readonly pattern: string };
}

interface Result {
  readonly data: { readonly toolCallId: string; readonly result: string };
}

/** The same frames over `ws`: `JSON.parse`, a map, and one plain `send` for each. Nothing is validated. */
export const contender: Contender = {
  listen: () =>
    listenWebSocket((socket) =>
      socket.onText((text) => {
        const { toolCallId, params } = JSON.parse(text) as Call;
        const data = { toolCallId, success: true, result: params.pattern, executionTime: 0 };
        void socket.send(JSON.stringify({ type: "TOOL_RESULT", data }));
      }),
    ),
  async dial(address) {
    const socket = await dialWebSocket(address);
    const waiting = new Map<string, (result: string) => void>();
    const webSocketSessionId = crypto.randomUUID();
    let calls = 0;
    socket.onText((text) => {
      const { toolCallId, result } = (JSON.parse(text) as Result).data;
      waiting.get(toolCallId)?.(result);
      waiting.delete(toolCallId);
    });
    return {
      async call(_method, given) {
        const toolCallId = `grep_file-${webSocketSessionId.slice(0, 8)}-${Date.now()}-${++calls}`;
        const params = { pattern: JSON.stringify(given), projectKey: "bench", webSocketSessionId };
        const call = { type: "TOOL_CALL", toolCallId, toolName: "grep_file", params, webSocketSessionId };
        const result = new Promise<string>((resolve) => waiting.set(toolCallId, resolve));
        void socket.send(JSON.stringify(call));
        return JSON.parse(await result) as unknown;
      },
      update: () => {},
      close: () => socket.close(),
    };
  },
};
