import type { Case } from "../../../../core/case.js";
import { sendCases } from "../../../../packs/sends.js";
import { clientFacts } from "../../client-facts.js";
import { cancelCases } from "./cancel.js";
import { framingCases } from "./framing.js";
import { httpCases } from "./http.js";
import { initializeCases } from "./initialize.js";
import { permissionCases } from "./permission.js";
import { rpcCases } from "./rpc.js";
import { sessionCases } from "./session.js";
import { turnCases } from "./turn.js";
import { updateCases } from "./update.js";
import { v1Cases } from "./v1.js";

/** Every case for clients. */
export const clientCases: readonly Case[] = [
  ...initializeCases,
  ...sessionCases,
  ...sendCases(clientFacts),
  ...turnCases,
  ...cancelCases,
  ...permissionCases,
  ...rpcCases,
  ...updateCases,
  ...framingCases,
  ...httpCases,
  ...v1Cases,
];
