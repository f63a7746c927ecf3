import { resultAsJson, sman, smanProfiles, type SmanToolInputs, validatorOf } from "@editwire/sman-schema";

const call = validatorOf(sman.methods.TOOL_CALL.params);
const site = { projectKey: "autoloop", webSocketSessionId: "83742e07" };
const input: SmanToolInputs["grep_file"] = { pattern: "TODO", context_lines: 2 };
const params = { ...site, ...input };
console.log(call.fits({ toolName: "grep_file", params, webSocketSessionId: "83742e07" }));
console.log(call.issues({ toolName: "read_file", params: site, webSocketSessionId: "83742e07" }, "TOOL_CALL"));

console.log(resultAsJson('{"matches":3}'));
console.log(smanProfiles.spec.deviations?.find(({ id }) => id === "no-success")?.summary);
