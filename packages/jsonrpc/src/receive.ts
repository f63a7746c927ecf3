import type { PeerHandler, RequestId } from "@editwire/core";
import { ErrorCode, isWireError } from "@editwire/core/errors";
import { type AcceptNotification, type Calls, type Receiver, type Reports, type Requests, sessionOf, show } from "@editwire/engine";
import { areParams, encodeError, type Incoming, isRequestId } from "./messages.js";
import type { CancelMessage } from "./options.js";
import { acceptReply, isReply } from "./replies.js";

/** Where received messages go. */
interface Parts {
  readonly handler: PeerHandler;
  readonly calls: Calls;
  readonly requests: Requests;
  readonly notifications: AcceptNotification;
  readonly respond: (json: string) => void;
  readonly reports: Reports;
  readonly cancel: CancelMessage | undefined;
}

/**
 * Tells requests, notifications and replies apart. What looks like a request gets an answer, however broken it is; what
 * looks like a notification or a reply never does.
 */
export function receiver({ handler, calls, requests, notifications, respond, reports, cancel }: Parts): Receiver {
  const refuse = (id: unknown, why: string): void => {
    reports.diagnostic("rpc.invalid-request", undefined, `refused a message: ${why}`);
    respond(encodeError(isRequestId(id) ? id : null, ErrorCode.InvalidRequest, `Invalid request: ${why}`));
  };

  const fail = ({ id, method }: Incoming, fault: string): void => {
    if (id !== undefined || typeof method !== "string") refuse(id, fault);
    else reports.diagnostic("rpc.invalid-notification", method, `ignored a notification: ${fault}`);
  };

  const request = (id: RequestId, method: string, params: unknown): void => requests.accept(id, method, params, sessionOf(handler, reports, method, params));

  const notification = (method: string, params: unknown): void => {
    if (method !== cancel?.method) return notifications(method, params, sessionOf(handler, reports, method, params));
    try {
      const id = cancel.idOf(params);
      if (id !== undefined) requests.cancel(id);
    } catch (error) {
      reports.error(error, method);
    }
  };

  return {
    message(value) {
      if (Array.isArray(value)) return refuse(null, "batches are not supported");
      if (typeof value !== "object" || value === null) return refuse(null, `a message is an object, not ${show(value)}`);
      const message: Incoming = value;
      const { id, method, params } = message;
      if (method === undefined) {
        if (isReply(message, calls)) acceptReply(message, calls, reports);
        else refuse(id, `"method" is missing`);
        return;
      }
      const fault = faultOf(message);
      if (fault !== undefined) fail(message, fault);
      else if (id === undefined) notification(method as string, params);
      else request(id as RequestId, method as string, params);
    },
    malformed(error) {
      reports.error(error, undefined);
      if (isWireError(error, "too_large")) respond(encodeError(null, ErrorCode.InvalidRequest, `Invalid request: ${error.message}`));
      else respond(encodeError(null, ErrorCode.ParseError, "Parse error"));
    },
  };
}

/** Why a message with a method is no request or notification. */
function faultOf({ jsonrpc, id, method, params }: Incoming): string | undefined {
  if (jsonrpc !== "2.0") return `"jsonrpc" is ${show(jsonrpc)}, not "2.0"`;
  if (typeof method !== "string") return `"method" is ${show(method)}, not a string`;
  if (id !== undefined && !isRequestId(id)) return `"id" is ${show(id)}, not a string or a number`;
  if (!areParams(params)) return `"params" is ${show(params)}, not an object or an array`;
  return undefined;
}
