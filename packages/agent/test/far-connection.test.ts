import { WireError } from "@editwire/core";
import { expect, it } from "vitest";
import { FarConnection } from "../src/far/far-connection.js";

/** A client whose `close` takes until `end` is called. */
function slowClient() {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  let closing = (): void => {};
  const isClosing = new Promise<void>((resolve) => (closing = resolve));
  const close = (): Promise<void> => {
    closing();
    return over;
  };
  return { closed: over.then(() => new WireError("closed", "closed")), close, end, isClosing };
}

it("opens another client while the one before is being closed, once that is over", async () => {
  const clients = [slowClient(), slowClient()] as const;
  const opened: number[] = [];
  const errors: unknown[] = [];
  const connection = new FarConnection<(typeof clients)[number]>(
    async () => clients[opened.push(opened.length) === 1 ? 0 : 1],
    (error) => errors.push(error),
  );
  expect(await connection.client()).toBe(clients[0]);
  connection.release(0);
  await clients[0].isClosing;
  const next = connection.client();
  expect(connection.isOpen).toBe(true);
  await new Promise(setImmediate);
  expect(opened).toHaveLength(1);
  clients[0].end();
  expect(await next).toBe(clients[1]);
  expect(await connection.client()).toBe(clients[1]);
  clients[1].end();
  await connection.close();
  expect(errors).toEqual([]);
});

it("waits at its end for a client that is being closed already", async () => {
  const client = slowClient();
  const connection = new FarConnection(
    async () => client,
    () => {},
  );
  await connection.client();
  connection.release(0);
  await client.isClosing;
  let isClosed = false;
  const closed = connection.close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  client.end();
  await closed;
});
