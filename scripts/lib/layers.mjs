// The order of the layers. A package imports packages of lower layers only.
const bindings = ["acp", "eca", "kaiak", "helix-zed", "sman", "ide-tools"];
const layers = [
  ["core"],
  ["framing", /-schema$/],
  ["transport"],
  ["peer"],
  ["session"],
  bindings,
  ["agent"],
  ["editwire"],
];
const top = layers.length;

const is = (short, names) => names.some((name) => (typeof name === "string" ? name === short : name.test(short)));
const shortName = ({ name }) => name.replace("@editwire/", "");

/**
 * The layer of a package: 0 for core, the highest for examples and benchmarks, undefined for a package that has no
 * place yet.
 */
export function layerOf(pkg) {
  if (!pkg.path.startsWith("packages/")) return top;
  const layer = layers.findIndex((names) => is(shortName(pkg), names));
  return layer < 0 ? undefined : layer;
}

const isConformance = (pkg) => pkg.path === "conformance";
const isExample = (pkg) => pkg.path.startsWith("examples/");
const allows = {
  /**
   * The referee stands on its own feet: a bug in the SDK must not hide itself in it. Its tests judge the SDK, as a
   * target.
   */
  conformance: (target) => is(shortName(target), ["core", "framing", /-schema$/]),
  source: (pkg, target) => (isExample(pkg) && isExample(target)) || layerOf(target) < layerOf(pkg),
  test: (pkg, target) => isConformance(target) || layerOf(target) <= layerOf(pkg),
};

/** Says whether `pkg` may depend on `target`, in its sources or only in its tests. */
export function mayImport(pkg, target, inTest) {
  if (isConformance(pkg)) return inTest || allows.conformance(target);
  if (isConformance(target) && !inTest) return !pkg.path.startsWith("packages/");
  return allows.source(pkg, target) || (inTest && allows.test(pkg, target));
}

/**
 * The folders of the conformance suite, with the others that they may import. Folders that are not listed may import
 * all: the command line and the list of the protocols.
 */
const suite = {
  trace: [],
  wire: ["core", "trace"],
  core: ["fuzz", "trace", "wire"],
  monitors: ["core"],
  generate: ["core", "monitors"],
  fuzz: ["core", "trace", "wire"],
  packs: ["core", "generate", "monitors", "trace", "wire"],
  model: ["core"],
  mutants: ["adapter.js", "core", "model", "monitors", "wire"],
  targets: ["core", "model", "trace", "wire"],
  report: ["core", "mutants", "trace"],
};

/** Why a file of the suite may not import another one, given their paths from `conformance/src`. */
export function suiteFault(from, to) {
  const [folder, protocol] = from.split("/");
  const [other, otherProtocol] = to.split("/");
  if (folder === "protocols" && protocol.includes(".")) return undefined;
  if (folder === "protocols" && other === "protocols")
    return protocol === otherProtocol ? undefined : `is another protocol than ${protocol}`;
  const allowed = suite[folder];
  return allowed === undefined || folder === other || allowed.includes(other)
    ? undefined
    : `is not for ${folder}, which knows ${["itself", ...allowed].join(", ")}`;
}
