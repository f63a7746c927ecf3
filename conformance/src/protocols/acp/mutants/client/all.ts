import { alsoInV1 } from "../in-v1.js";
import type { Mutant } from "../../../../core/mutant.js";
import { benignClients } from "./benign.js";
import { fieldMutants } from "./fields.js";
import { httpClientMutants } from "./http.js";
import { remoteMutants } from "./remote.js";
import { packMutants } from "./packs.js";
import { lifeMutants } from "./life.js";
import { overlookedMutants } from "./overlooked.js";
import { servicesMutants } from "./services.js";
import { updateMutants } from "./update.js";
import { v1Mutants } from "./v1.js";
import { wireMutants } from "./wire.js";

const own: readonly Mutant[] = [
  ...lifeMutants,
  ...wireMutants,
  ...updateMutants,
  ...packMutants,
  ...httpClientMutants,
  ...remoteMutants,
  ...v1Mutants,
  ...servicesMutants,
  ...overlookedMutants,
  ...fieldMutants,
  ...benignClients,
];

/** Broken in the same way in the official dialect. */
const again = [
  "cancel-as-request",
  "allows-after-cancel",
  "dies-of-updates-after-cancel",
  "logs-on-stdin",
  "indented-json",
  "no-version",
  "authenticates-first",
  "answers-with-a-kind",
  "no-version-of-json-rpc",
  "error-code-as-string",
  "ids-as-strings",
  "every-answer-twice",
  "one-id-for-all",
  "answers-unknown-notifications",
  "zero-is-no-id",
  "no-method-of-authentication",
  "environment-as-object",
  "load-without-servers",
  "bytes-as-text",
  "cancel-without-session",
  "mode-without-id",
  "outcome-as-text",
  "does-not-wait-for-initialize",
  "offers-http-servers",
] as const;

/** Clients that are broken in one way each, and some that are not. */
export const clientMutants: readonly Mutant[] = [...own, ...alsoInV1(own, again, {})];
