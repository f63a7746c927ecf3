import { kaiak, kaiakRoute, validatorOf, withDefaults } from "@editwire/kaiak-schema";

const fix = validatorOf(kaiak.methods["kaiak/generate_fix"].params);
const incidents = [{ id: "1", rule_id: "deprecated-api", message: "DatatypeConverter was removed" }];
console.log(fix.fits({ session_id: "s1", incidents }));
console.log(fix.issues({ session_id: "s1", incidents: [] }, "params"));

console.log(kaiakRoute.wrap("kaiak/delete_session", { session_id: "s1" }));
console.log(withDefaults({ workspace: { working_dir: "/project" } }).workspace.exclude_patterns);
