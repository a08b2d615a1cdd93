/** Prints the user that the API server of a kubeconfig takes this program for, as JSON. */
import { createClient, loadConfig } from "../../lib/client/mod.ts";

const [kubeconfig] = Deno.args;
using client = createClient(await loadConfig({ kubeconfig: kubeconfig! }));
const review = await client.requestJson<{ status: { userInfo: unknown } }>({
  method: "POST",
  path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
  body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
});
// deno-lint-ignore no-console -- what the test reads
console.log(JSON.stringify(review.status.userInfo));
