import { methodsOf } from "@editwire/core";
import type { SuiteProfile } from "../../core/run/context.js";
import { acceptV1 } from "./accept.js";
import { table } from "./table.js";
import type { AcpSuiteTraits } from "./traits.js";

/** The methods of a group that agents of the official dialect declare each by a capability of its own. */
const offered = (wanted: string): Record<string, unknown> =>
  Object.fromEntries(
    methodsOf(table).flatMap(([, { capability }]) => {
      const [group, name] = capability?.split(".") ?? [];
      return group === wanted && name !== undefined ? [[name, {}] as const] : [];
    }),
  );

/** The dialects of ACP: the specification's own, and version 1 of the official protocol. */
export const profiles: readonly SuiteProfile<AcpSuiteTraits>[] = [
  {
    name: "spec",
    title: "the specification's own",
    traits: { namesContents: false, gatesContents: false, hasLogin: false, offered: { sessionCapabilities: {} } },
  },
  {
    name: "v1",
    title: "official v1",
    traits: {
      namesContents: true,
      gatesContents: true,
      hasLogin: true,
      offered: { sessionCapabilities: offered("sessionCapabilities"), auth: offered("auth") },
    },
    accept: acceptV1,
    framings: ["line"],
  },
];
