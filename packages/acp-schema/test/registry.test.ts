import { registryOf } from "@editwire/acp-schema/registry";
import { expect, test } from "vitest";

const agent = { id: "a", name: "A", version: "1.0.0", distribution: { npx: { package: "a@1.0.0" } } };

test("unknown fields and ways to get an agent stay", () => {
  const open = {
    ...agent,
    version: "2026.09.28",
    license: "Proprietary",
    distribution: {
      npx: { package: "@x/a@1.0.0", cmd: "a-acp", args: ["--uid="], env: { A: "" }, note: 1 },
      uvx: { package: "a[all]==1.0.0" },
      binary: { "plan9-mips": { archive: "https://x.example/a", cmd: "./a+b/c", sha256: "0".repeat(64) } },
      docker: { image: "a" },
    },
  };
  const { agents, leftOut } = registryOf({ version: "1.0.0", agents: [open], extensions: [{}] });
  expect(agents).toEqual([open]);
  expect(leftOut).toEqual([]);
});

test.each([
  ["no distribution", { distribution: undefined }, "a.distribution: expected object, received undefined"],
  ["an id that is a path", { id: "../a" }, "../a.id: expected lower-case letters, digits and hyphens"],
  ["a version that is a path", { version: "../1" }, "a.version: expected a version"],
  [
    "a package that is an option",
    { distribution: { npx: { package: "--call=rm" } } },
    "a.distribution.npx.package: expected the name of a package, with or without a version",
  ],
  [
    "a package that is a URL",
    { distribution: { npx: { package: "a@https://x.example/a.tgz" } } },
    "a.distribution.npx.package: expected the name of a package, with or without a version",
  ],
  [
    "a command that is an option",
    { distribution: { uvx: { package: "a", cmd: "-c" } } },
    "a.distribution.uvx.cmd: expected the name of a command",
  ],
  [
    "an argument that is a number",
    { distribution: { npx: { package: "a", args: [1] } } },
    "a.distribution.npx.args.0: expected string, received number",
  ],
  [
    "half a checksum",
    { distribution: { binary: { "linux-x86_64": { archive: "https://x.example/a", cmd: "a", sha256: "00" } } } },
    "a.distribution.binary.linux-x86_64.sha256: expected 64 hexadecimal digits",
  ],
])("an entry with %s is left out by its name, and the others stay", (_, change, reason) => {
  const other = { ...agent, id: "b" };
  const { agents, leftOut } = registryOf({ agents: [{ ...agent, ...change }, other] });
  expect(agents).toEqual([other]);
  expect(leftOut).toEqual([{ id: "id" in change ? change.id : "a", reason }]);
});

test("entries without an id are named by their place, and a second entry of an id is left out", () => {
  const { agents, leftOut } = registryOf({ agents: [null, {}, agent, { ...agent, name: "Other" }] });
  expect(agents).toEqual([agent]);
  expect(leftOut.map(({ id }) => id)).toEqual(["agents.0", "agents.1", "a"]);
});

test.each([null, [], {}, { agents: {} }, "<html>"])("%j is no registry", (json) => {
  expect(() => registryOf(json)).toThrow("expected a registry of agents: an object with the list agents");
});
