import { expect, it } from "vitest";
import { quoted } from "../src/opening/silence.js";

it.each([
  ["Log in\n  first", '"Log in first"'],
  [
    "Cannot find module '/opt/agents/version2/dist/index.js'",
    `"Cannot find module '/opt/agents/version2/dist/index.js'"`,
  ],
  ["API_KEY=abc, Bearer xyz", '"API_KEY=***, Bearer ***"'],
  [`got ghp_${"0a".repeat(18)}!`, '"got ***!"'],
  [`${"-".repeat(300)}end`, `"…${"-".repeat(197)}end"`],
])("quotes what a program wrote, on one line, without secrets: %j", (text, expected) => {
  expect(quoted(text)).toBe(expected);
});
