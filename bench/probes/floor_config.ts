// The reader of a kubeconfig for baseline programs, with js-yaml and without this library.
import { load } from "js-yaml";

interface Named {
  readonly name: string;
}
type Fields = Readonly<Record<string, string>>;
interface Entries {
  readonly clusters: (Named & { cluster: Fields })[];
  readonly users: (Named & { user: Fields })[];
}

/** The server of the kubeconfig, and the PEM texts of its TLS, for baseline programs. */
export interface FloorConfig {
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const NONE = { name: "", cluster: {} as Fields, user: {} as Fields };

/** Reads the first cluster and the first user of the kubeconfig file that `KUBECONFIG` names. */
export async function floorConfig(): Promise<FloorConfig> {
  const text = await Deno.readTextFile(Deno.env.get("KUBECONFIG")!);
  const { clusters: [{ cluster } = NONE], users: [{ user } = NONE] } = load(text) as Entries;
  return {
    server: cluster.server!,
    ca: await pem(cluster, "certificate-authority"),
    cert: await pem(user, "client-certificate"),
    key: await pem(user, "client-key"),
  };
}

/** Returns a PEM text of the kubeconfig, inline or from the named file. */
async function pem(from: Fields, field: string): Promise<string> {
  const data = from[`${field}-data`];
  return data ? atob(data) : await Deno.readTextFile(from[field]!);
}
