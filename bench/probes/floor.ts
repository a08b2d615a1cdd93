// The least that a command line on this runtime could do in place of `kubectl xca status`: reads the
// kubeconfig with js-yaml, does one GET with the client certificate, prints a line for each object.
import { load } from "js-yaml";

interface Named {
  readonly name: string;
}
type Fields = Readonly<Record<string, string>>;
interface Entries {
  readonly clusters: (Named & { cluster: Fields })[];
  readonly users: (Named & { user: Fields })[];
}

const NONE = { name: "", cluster: {} as Fields, user: {} as Fields };
const text = await Deno.readTextFile(Deno.env.get("KUBECONFIG")!);
const { clusters: [{ cluster } = NONE], users: [{ user } = NONE] } = load(
  text,
) as Entries;

/** A PEM text, in the file or beside it. */
async function pem(from: Fields, field: string): Promise<string> {
  const data = from[`${field}-data`];
  return data ? atob(data) : await Deno.readTextFile(from[field]!);
}

const client = Deno.createHttpClient({
  caCerts: [await pem(cluster, "certificate-authority")],
  cert: await pem(user, "client-certificate"),
  key: await pem(user, "client-key"),
  http2: false,
});
const url = `${cluster.server}/apis/apps.xca.k8s.kb.cx/v1beta1/namespaces/default/xcas`;
const { items } = await (await fetch(url, { client })).json();
for (const { metadata, status } of items) {
  // deno-lint-ignore no-console -- a command line prints
  console.log(metadata.name, status?.active);
}
Deno.exit(0);
