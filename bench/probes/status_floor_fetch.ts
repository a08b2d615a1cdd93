// The same program as `status_floor.ts`, by fetch: it trusts the roots of the system too, as a
// client of a cluster must not.
import { floorConfig } from "./floor_config.ts";
import { say } from "./say.ts";

const { server, ca, cert, key } = await floorConfig();
const client = Deno.createHttpClient({ caCerts: [ca], cert, key, http2: false });
const url = `${server}/apis/apps.xca.k8s.kb.cx/v1beta1/namespaces/default/xcas`;
const { items } = await (await fetch(url, { client })).json();
for (const { metadata, status } of items) {
  await say(`${metadata.name} ${status?.active}`);
}
Deno.exit(0);
