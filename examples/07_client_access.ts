/**
 * Four ways of access to one API server, over one connection. The choice depends on the facts known
 * when the program is written.
 *
 * - **Typed**: resource and fields are known. The methods of `Client`; the first choice.
 * - **Dynamic**: the name of the resource is known at run time only, such as from a command line;
 *   objects are plain JSON.
 * - **Discovery**: the resources that the server serves, with their names and verbs.
 * - **REST**: any request, for instance to subresources without a method.
 *
 * All four share credentials, deadlines, retries, warnings and errors.
 *
 * ```sh
 * deno run --allow-net --allow-read --allow-env examples/07_client_access.ts
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

/** The object of the subresource `scale` of a workload, with the fields that this example uses. */
interface Scale extends KubeObject {
  spec: { replicas: number };
}

/**
 * Accesses a Deployment in each of the four ways, prints the results, and sets the number of its
 * replicas to three with the last.
 */
export async function showAccess(
  client: Client,
  { namespace, name, print }: {
    readonly namespace: string;
    readonly name: string;
    readonly print: (line: string) => void;
  },
): Promise<void> {
  const key = `${namespace}/${name}`;

  // Typed: the compiler knows the fields of a Deployment.
  const typed = await client.get(Deployment, key);
  print(`typed: ${typed.metadata.name} asks for ${typed.spec?.replicas} replicas`);

  // Discovery: the server lists the resources that it serves.
  const discovery = discoveryClient(client);
  const { gitVersion } = await discovery.serverVersion();
  const resource = await discovery.resourceFor("deploy");
  print(`discovery: ${gitVersion} serves ${resource.id}, of kind ${resource.kind}`);
  print(`discovery: it has ${resource.subresources.map((part) => part.name).join(" and ")}`);

  // Dynamic: a name is enough, and is resolved with the results of the discovery client.
  const deployments = await dynamicClient(client, { discovery }).resourceFor("deploy");
  const { items } = await deployments.list({ namespace });
  print(`dynamic: ${items.map(({ metadata }) => metadata.name).join(", ")} in ${namespace}`);

  // REST: a request is built from its parts, and a partly built one can be used again.
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
    if (name === undefined) print("usage: 07_client_access.ts DEPLOYMENT [NAMESPACE]");
    else await showAccess(client, { namespace, name, print });
  });
}
