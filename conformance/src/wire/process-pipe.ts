import type { PipeEnd } from "./pipe.js";

/** This process' stdin and stdout as one end of a pipe; `closed` resolves when the other side has ended its writing. */
export function processPipe(): { pipe: PipeEnd; closed: Promise<void> } {
  let done = (): void => {};
  const closed = new Promise<void>((resolve) => (done = resolve));
  const pipe: PipeEnd = {
    listen({ data, end }) {
      process.stdin.on("data", data);
      process.stdin.once("end", () => {
        end();
        done();
      });
    },
    write: (chunk) => void process.stdout.write(chunk),
    end: () => {},
    destroy: () => process.stdin.destroy(),
  };
  return { pipe, closed };
}
