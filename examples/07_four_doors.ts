/**
 * Four doors to one API server, over one connection: which to take depends on what is known when the
 * program is written.
 *
 * - **Typed**: the resource and its fields. `Client` itself; the one to take where it will do.
 * - **Dynamic**: the resource by a name that comes at run time, as on a command line; its objects are
 *   plain JSON.
 * - **Discovery**: which resources there are, what they are called, what can be done with them.
 * - **REST**: any call at all, such as those parts of a resource that have no method of their own.
 *
 * All four share credentials, deadlines, retries, warnings and errors.
 *
 * ```sh
 * deno run --allow-net --allow-read --allow-env examples/07_four_doors.ts
 * ```
 *
 * @module
 */
import {
  type Client,
  createClient,
  discoveryClient,
  dynamicClient,
  loadConfig,
  mergePatch,
  restClient,
} from "@xca/operator/client";
import { Deployment, type KubeObject } from "@xca/operator/meta";
import { runExample } from "./run_example.ts";

/** What `apps/v1` says of the size of a Deployment, and nothing else. */
interface Scale extends KubeObject {
  spec: { replicas: number };
}

/** Finds a Deployment by each door, and makes it larger by one of them. */
export async function walkThroughDoors(
  client: Client,
  { namespace, name, print }: {
    readonly namespace: string;
    readonly name: string;
    readonly print: (line: string) => void;
  },
): Promise<void> {
  const key = `${namespace}/${name}`;

  // Typed: the compiler knows what a Deployment has.
  const typed = await client.get(Deployment, key);
  print(`typed: ${typed.metadata.name} asks for ${typed.spec?.replicas} replicas`);

  // Discovery: the server knows what it serves.
  const discovery = discoveryClient(client);
  const { gitVersion } = await discovery.serverVersion();
  const resource = await discovery.resourceFor("deploy");
  print(`discovery: ${gitVersion} serves ${resource.id}, of kind ${resource.kind}`);
  print(`discovery: it has ${resource.subresources.map((part) => part.name).join(" and ")}`);

  // Dynamic: a name is enough, and it is looked up in what the discovery client has learnt.
  const deployments = await dynamicClient(client, { discovery }).resourceFor("deploy");
  const { items } = await deployments.list({ namespace });
  print(`dynamic: ${items.map(({ metadata }) => metadata.name).join(", ")} in ${namespace}`);

  // REST: a call is put together from its parts, and what is put together once may be used again.
  const scale = restClient(client).resource(Deployment).namespace(namespace).name(name)
    .subresource("scale");
  const { spec } = await scale.patch(mergePatch({ spec: { replicas: 3 } })).do<Scale>();
  print(
    `REST: its scale is set to ${spec.replicas}, and read back as ${
      (await scale.get().do<Scale>()).spec.replicas
    }`,
  );
}

if (import.meta.main) {
  await runExample(async () => {
    const config = await loadConfig();
    const [name, namespace = config.namespace ?? "default"] = Deno.args;
    using client = createClient(config);
    // deno-lint-ignore no-console
    const print = (line: string): void => console.log(line);
    if (name === undefined) print("usage: 07_four_doors.ts DEPLOYMENT [NAMESPACE]");
    else await walkThroughDoors(client, { namespace, name, print });
  });
}
