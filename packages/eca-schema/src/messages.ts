import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type OpenEnum, openEnum } from "./extensible.js";

/** How urgent a message is; an unknown one reads as `info`. */
export type MessageType = OpenEnum<"error" | "warning" | "info">;
const messageType = openEnum(["error", "warning", "info"]);

/** Shows the user a message (#showmessage). */
export interface ShowMessageParams {
  type: MessageType;
  message: string;
}
export const ShowMessageParams = schemaFor<ShowMessageParams>()(
  z.looseObject({ type: messageType, message: z.string() }),
);

/** A task of the server's start begins or ends, in `v2026`. */
export interface ProgressParams {
  type: OpenEnum<"start" | "finish">;
  taskId: string;
  title: string;
}
export const ProgressParams = schemaFor<ProgressParams>()(
  z.looseObject({ type: openEnum(["start", "finish"]), taskId: z.string(), title: z.string() }),
);
