// What `first_get.ts` does, with nothing of ours: reads the kubeconfig with js-yaml and does one GET
// with the client certificate, by node:https, which takes one root alone as our transport does.
import { Buffer } from "node:buffer";
import https from "node:https";
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
const { clusters: [{ cluster } = NONE], users: [{ user } = NONE] } = load(text) as Entries;

/** A PEM text, in the file or beside it. */
async function pem(from: Fields, field: string): Promise<string> {
  const data = from[`${field}-data`];
  return data ? atob(data) : await Deno.readTextFile(from[field]!);
}

const tls = {
  ca: await pem(cluster, "certificate-authority"),
  cert: await pem(user, "client-certificate"),
  key: await pem(user, "client-key"),
};
https.get(`${cluster.server}/api/v1/namespaces/default`, tls, (answer) => {
  const chunks: Uint8Array[] = [];
  answer.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  answer.on("end", () => {
    // deno-lint-ignore no-console -- a program prints
    console.log(JSON.parse(Buffer.concat(chunks).toString()).metadata.name);
    Deno.exit(0);
  });
});
