import type { Part } from "@editwire/core";
import { eca } from "@editwire/eca-schema";
import { receiverOf } from "../../../core/test/support/receiver.js";
import { fixtures, methodOfFile } from "./fixtures.js";

const valid = fixtures<{ part: Part; value: unknown }>("valid");

/**
 * Lets a value come in through `connect`. The params of a request, so that its result can come, are those of a fixture.
 */
export const receive = receiverOf(
  eca,
  (method) =>
    valid.find(({ name, content }) => methodOfFile(name) === method && content.part === "params")?.content.value,
);
