import { bundle } from "../../scripts/testing/bundle.js";

const programs = await bundle(import.meta.url, { bin: "../src/bin.ts", unsteered: "fixtures/clients/unsteered.ts" });

/** The command line of the suite, to be run as a process. */
export const bin = [process.execPath, programs.bin] as const;

/** A client that does what it does of its own accord. */
export const unsteered = [process.execPath, programs.unsteered] as const;
