import pc from "picocolors";
import type { Look } from "../src/render/look.js";

/** A terminal of 80 columns without colours, in `/work`. */
export const plain: Look = { colors: pc.createColors(false), columns: 80, live: true, cwd: "/work" };

/** The same one with colours. */
export const coloured: Look = { ...plain, colors: pc.createColors(true) };

export const { red, green } = coloured.colors;
