/**
 * The life of a Deployment through the dynamic client: create, update, list, delete. The dynamic
 * client needs no types: strings name a resource, and its objects are plain JSON.
 *
 * The update handles a conflict: when another client writes the object between the read and the
 * write, the server refuses the write. `retryOnConflict` reads the object again.
 *
 * ```sh
 * deno run --allow-net --allow-read --allow-env examples/05_deployment.ts
 * ```
 *
 * @module
 */
import {
  type Client,
  createClient,
  dynamicClient,
  type DynamicResource,
  loadConfig,
  retryOnConflict,
} from "@xca/operator/client";
import { keyOf, type UnstructuredObject } from "@xca/operator/meta";
import { runExample } from "./run_example.ts";

const NAME = "demo-deployment";

/** A Deployment of a web server with two replicas. */
const deployment: UnstructuredObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: NAME },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "demo" } },
    template: {
      metadata: { labels: { app: "demo" } },
      spec: {
        containers: [{
          name: "web",
          image: "nginx:1.12",
          ports: [{ name: "http", protocol: "TCP", containerPort: 80 }],
        }],
      },
    },
  },
};

/** The fields of a Deployment's spec that the update changes. */
interface DeploymentSpec {
  replicas: number;
  template: { spec: { containers: { image: string }[] } };
}

/**
 * Options for {@linkcode manageDeployment}, which creates, updates, lists and deletes a Deployment.
 */
export interface ManageDeploymentOptions {
  /** The namespace of the Deployment to create. */
  readonly namespace: string;
  /** Receives each line that the example prints. */
  readonly print: (line: string) => void;
  /**
   * A function that the example calls before its steps `update`, `list` and `delete`, with the name
   * of the step. @default continues at once
   */
  readonly pause?: (next: string) => void | Promise<void>;
}

/** Creates a Deployment, updates it, lists it and deletes it. */
export async function manageDeployment(
  client: Client,
  { namespace, print, pause = () => {} }: ManageDeploymentOptions,
): Promise<void> {
  const deployments = dynamicClient(client)
    .resource({ group: "apps", version: "v1", plural: "deployments" });

  print("Creating deployment...");
  const created = await deployments.create(deployment, { namespace });
  print(`Created deployment ${created.metadata.name}.`);

  await pause("update");
  print("Updating deployment...");
  await retryOnConflict(() => update(deployments, created));
  print("Updated deployment...");

  await pause("list");
  print(`Listing deployments in namespace ${namespace}:`);
  for (const { metadata, spec } of (await deployments.list({ namespace })).items) {
    print(` * ${metadata.name} (${(spec as DeploymentSpec).replicas} replicas)`);
  }

  await pause("delete");
  print("Deleting deployment...");
  await deployments.delete(keyOf(created), {
    propagationPolicy: "Foreground",
    preconditions: { uid: created.metadata.uid }, // not another Deployment of the same name
  });
  print("Deleted deployment.");
}

/**
 * Updates the Deployment: reads the current object, changes two fields and writes the whole object.
 * The written object has the resourceVersion that was read, by which the server detects a write of
 * another client in between. Rejects if another Deployment has taken the name.
 */
async function update(
  deployments: DynamicResource,
  created: UnstructuredObject,
): Promise<UnstructuredObject> {
  const newest = await deployments.get(keyOf(created));
  if (newest.metadata.uid !== created.metadata.uid) {
    throw new Error(`Cannot update Deployment ${NAME}: another one has its name`);
  }
  const spec = newest["spec"] as DeploymentSpec;
  spec.replicas = 1;
  spec.template.spec.containers[0]!.image = "nginx:1.13";
  return await deployments.update(newest);
}

if (import.meta.main) {
  await runExample(async () => {
    const config = await loadConfig();
    using client = createClient(config);
    // deno-lint-ignore no-console
    const print = (line: string): void => console.log(line);
    await manageDeployment(client, {
      namespace: config.namespace ?? "default",
      print,
      pause: (next) => void prompt(`-> Press Return to ${next}.`),
    });
  });
}
