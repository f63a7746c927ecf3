import type { ReportDocument } from "./document.js";
import { xmlElement, xmlText } from "./xml.js";

interface Badge {
  readonly label: string;
  readonly message: string;
  readonly color: string;
  readonly isError: boolean;
}

const colors = { good: "#1a7f5a", bad: "#c2381a", unclear: "#8a6100" };

/** The text of a badge: the outcome, and how many of the requirements that bind the target were seen to be met. */
function badgeOf({ run, outcome, exitCode, requirements }: ReportDocument): Badge {
  const binding = requirements.filter(
    ({ level, basis, status }) =>
      level === "must" && run.basis.includes(basis) && status !== "excluded" && status !== "not-applicable",
  );
  const met = binding.filter(({ status }) => status === "pass").length;
  const color = exitCode === 0 ? colors.good : outcome === "violated" ? colors.bad : colors.unclear;
  const isError = outcome === "harness-error" || outcome === "target-error" || outcome === "interrupted";
  return {
    label: `${run.protocol} ${run.role}`,
    message: isError ? outcome : `${outcome} ${met}/${binding.length}`,
    color,
    isError,
  };
}

/** A badge for a README, as SVG. */
export function badgeSvg(report: ReportDocument): string {
  const { label, message, color } = badgeOf(report);
  const left = widthOf(label) + 12;
  const right = widthOf(message) + 12;
  const text = (content: string, x: number, width: number): string =>
    xmlElement("text", { x, y: 14, "text-anchor": "middle", textLength: width, lengthAdjust: "spacingAndGlyphs" }, [
      xmlText(content),
    ]);
  const content = [
    xmlElement("title", {}, [xmlText(`${label}: ${message}`)]),
    xmlElement("clipPath", { id: "r" }, [xmlElement("rect", { width: left + right, height: 20, rx: 3 })]),
    xmlElement("g", { "clip-path": "url(#r)" }, [
      xmlElement("rect", { width: left, height: 20, fill: "#474d55" }),
      xmlElement("rect", { x: left, width: right, height: 20, fill: color }),
    ]),
    xmlElement("g", { fill: "#fff", "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": 11 }, [
      text(label, left / 2, left - 12),
      text(message, left + right / 2, right - 12),
    ]),
  ];
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    width: left + right,
    height: 20,
    role: "img",
    "aria-label": `${label}: ${message}`,
  };
  return `${xmlElement("svg", attributes, content)}\n`;
}

/** The same as JSON, in the form of the endpoint badges of shields.io. */
export function badgeEndpoint(report: ReportDocument): string {
  return `${JSON.stringify({ schemaVersion: 1, ...badgeOf(report) })}\n`;
}

/** About how wide a text is in Verdana at 11 pixels; the SVG stretches it to just this. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[iljtfr1.,:;|!' ]/.test(character) ? 4.2 : /[mwMW@]/.test(character) ? 10.4 : 7;
  return Math.round(width);
}
