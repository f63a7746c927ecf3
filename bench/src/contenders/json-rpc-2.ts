import { JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import { callMethods } from "../messages.js";
import type { Contender, Link, Update } from "./contender.js";
import { lineWriter, readLines } from "./lines.js";
import { overStreams } from "./over-streams.js";

/** json-rpc-2.0, which brings no transport: it gets the lines of the floor. */
export const contender: Contender = overStreams((readable, writable, handlers) => {
  const write = lineWriter(writable);
  let room: void | Promise<void>;
  const peer = new JSONRPCServerAndClient(
    new JSONRPCServer(),
    new JSONRPCClient((message: object) => void (room = write(message))),
  );
  const link: Link = {
    call: (method, params) => Promise.resolve(peer.request(method, params, undefined)),
    update(params) {
      peer.notify("session/update", params, undefined);
      return room;
    },
    close: () => {},
  };
  for (const method of callMethods) peer.addMethod(method, (params) => handlers.call(method, params, link));
  peer.addMethod("session/update", (params: unknown) => handlers.update(params as Update));
  readLines(readable, (message) => void peer.receiveAndSend(message, undefined, undefined));
  return link;
});
