// The least that a command line on this runtime could do in place of `kubectl xca status`: one GET
// that trusts the cluster's root certificate only, and a line for each object.
import { getJson } from "./floor_https.ts";
import { say } from "./say.ts";

interface XcaList {
  readonly items: { metadata: { name: string }; status?: { active?: boolean } }[];
}

const { items } = await getJson<XcaList>(
  "/apis/apps.xca.k8s.kb.cx/v1beta1/namespaces/default/xcas",
);
for (const { metadata, status } of items) {
  await say(`${metadata.name} ${status?.active}`);
}
Deno.exit(0);
