import { figureOf, type Measured, ratios, spreadOf } from "./rounds.js";
import type { Figure, Workload } from "./workloads/workload.js";

/** The columns: the other contenders. A figure without a column has a row of its own. */
const columns = ["floor", "acp-sdk", "vscode-jsonrpc", "mcp-sdk", "json-rpc-2.0"] as const;

/** The rows of the short table, each with the first figure. */
const short: Readonly<Record<string, readonly string[]>> = {
  ping: ["editwire"],
  "depth-64": ["editwire"],
  "flood-200": ["editwire"],
  "flood-200-awaited": ["editwire"],
  "flood-mixed": ["editwire", "editwire/acp"],
  "flood-mixed-awaited": ["editwire", "editwire/acp"],
  "flood-ws": ["editwire"],
  "flood-ws-awaited": ["editwire"],
  "flood-sse": ["editwire"],
  large: ["editwire"],
  decode: ["editwire", "editwire/content-length"],
  encode: ["editwire"],
  "unix-1000": ["editwire"],
  "ws-1000": ["editwire"],
  "helix-flood": ["editwire/helix"],
  "helix-1000": ["editwire/helix"],
  import: ["editwire/peer", "editwire/acp/node"],
  bundle: ["editwire/acp"],
  slow: ["editwire"],
};

/** The figures of one workload. */
export interface Result {
  readonly workload: Workload;
  readonly size: number;
  readonly measured: Measured;
}

/** The table's rows, the head first. A ratio says how many times better ours is than the column's. */
export function tableOf(results: readonly Result[], detail: "full" | "short"): string[][] {
  const rows = results.flatMap((result) => {
    const figures = Object.entries(result.workload.figures);
    return (detail === "full" ? figures : figures.slice(0, 1)).flatMap(([name, figure]) =>
      rowsOf(result, name, figure, detail),
    );
  });
  return [["", "editwire", ...columns], ...rows];
}

function rowsOf({ workload, measured }: Result, name: string, figure: Figure, detail: "full" | "short"): string[][] {
  // "floor/helix" is the floor of "editwire/helix".
  const isColumn = (contender: string): boolean =>
    columns.some((column) => contender === column || contender.startsWith(`${column}/`));
  const isShown = (contender: string): boolean =>
    detail === "full" || short[workload.name]?.includes(contender) === true;
  const ours = Object.keys(measured).filter(
    (contender) => !isColumn(contender) && isShown(contender) && figureOf(measured, contender, name).length > 0,
  );
  const figures = Object.keys(workload.figures).length;
  return ours.map((contender) => {
    const parts = [
      workload.name,
      figures > 1 && detail === "full" ? name : "",
      contender === "editwire" ? "" : contender,
    ];
    const own = (column: string): string => contender.replace(/^[^/]+/, column);
    const cells = columns.map((column) =>
      ratioCell(measured, contender, Object.hasOwn(measured, own(column)) ? own(column) : column, name, figure, detail),
    );
    return [
      parts.filter((part) => part !== "").join(" "),
      valueCell(figureOf(measured, contender, name), figure, detail),
      ...cells,
    ];
  });
}

function valueCell(values: readonly number[], { unit }: Figure, detail: "full" | "short"): string {
  const { median, min, max } = spreadOf(values);
  const range = detail === "full" && values.length > 1 ? ` (${digits(min)}–${digits(max)})` : "";
  return `${digits(median)} ${unit}${range}`;
}

function ratioCell(
  measured: Measured,
  ours: string,
  other: string,
  name: string,
  { better }: Figure,
  detail: "full" | "short",
): string {
  const times = better === "more" ? ratios(measured, ours, other, name) : ratios(measured, other, ours, name);
  const { median, min, max } = spreadOf(times);
  if (Number.isNaN(median)) return "";
  const isRatio = min > 0 && Number.isFinite(max); // memory may come out as nothing, or less
  if (detail === "short") return isRatio ? `${digits(median)}×` : "";
  const value = digits(spreadOf(figureOf(measured, other, name)).median);
  if (!isRatio) return value;
  return `${value} | ${digits(median)}×${times.length > 1 ? ` (${digits(min)}–${digits(max)})` : ""}`;
}

/** Two or three digits that matter. */
export function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : 2);
}

/** Rows as text in columns. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}

/** Rows as a Markdown table. */
export function markdown(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const line = (row: readonly string[]): string => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}
