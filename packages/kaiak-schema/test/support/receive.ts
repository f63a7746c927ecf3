import { kaiak } from "@editwire/kaiak-schema";
import { methodOfFile } from "../../../core/test/support/fixtures.js";
import { receiverOf } from "../../../core/test/support/receiver.js";
import { examples } from "./fixtures.js";

/** Params that let a request leave, so that its result can come. */
const params = examples().filter(({ content }) => content.part === "params");

/** Lets a value come in through `connect`. */
export const receive = receiverOf(
  kaiak,
  (method) => params.find(({ name }) => methodOfFile(name) === method)?.content.value,
);
