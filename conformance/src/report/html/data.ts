import type { ReportDocument } from "../document.js";

/** Reads the reports that the page carries: JSON, gzipped, in base64. Rejects when they are missing or damaged. */
export async function embeddedReports(): Promise<ReportDocument[]> {
  const holder = document.getElementById("data");
  const packed = atob(holder?.textContent?.trim() ?? "");
  holder?.remove();
  const bytes = new Uint8Array(packed.length);
  for (let index = 0; index < packed.length; index++) bytes[index] = packed.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (JSON.parse(await new Response(stream).text()) as { reports: ReportDocument[] }).reports;
}
