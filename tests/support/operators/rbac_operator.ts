/** The operator of the test of generated RBAC rules and Deno flags: it uses what operators use. */
import {
  applyChild,
  controllerFor,
  defineOperator,
  finalize,
  type Operator,
  patchStatus,
} from "../../../lib/controller/mod.ts";
import {
  ConfigMap,
  type KubeObject,
  type ResourceType,
  resourceType,
  Secret,
} from "../../../lib/apimachinery/meta/mod.ts";

/** An object of the operator: a greeting, in words that a ConfigMap has. */
export interface Greeting extends KubeObject {
  spec: { name: string };
  status?: { text: string };
}

/** The resource of the operator. */
export const Greeting: ResourceType<Greeting> = resourceType<Greeting>({
  group: "example.org",
  version: "v1",
  kind: "Greeting",
  plural: "greetings",
});

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "greetings.example.org" },
  spec: {
    group: "example.org",
    names: { kind: "Greeting", plural: "greetings" },
    scope: "Namespaced",
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    }],
  },
};

const finalizer = "example.org/greeter";

const controller = controllerFor(Greeting)
  .owns(Secret)
  .uses(Secret, ["applyChild"])
  .uses(Greeting, ["finalize", "patchStatus", "recordEvents"])
  .uses(ConfigMap, ["get"], { namespaces: ["default"], names: ["words"] })
  .reconcile(async (context) => {
    const { cache, client, events, key, log, name } = context;
    const found = cache.get(Greeting, key);
    const cleanup = (): void => {};
    const object = found && await finalize(context, Greeting, found, { finalizer, cleanup });
    if (!object || object.status) return;
    const words = await client.get(ConfigMap, "default/words");
    const owner = { type: Greeting, object };
    await applyChild(context, Secret, { metadata: { name } }, { owner, fieldManager: "greeter" });
    const text = `${words.data?.hello}, ${object.spec.name}`;
    await patchStatus(context, Greeting, object, { text });
    events.record(Greeting, object, { type: "Normal", reason: "Greeted", note: text });
    log.info("Greeted");
  });

/** The operator of the test. */
export const greeter: Operator = defineOperator({
  name: "greeter",
  controllers: [controller],
  crds: [definition],
});

export default greeter;

/** The options of the manager that rules and flags depend on. */
export interface GreeterSetup {
  readonly name: string;
  readonly leaderElection: Record<string, never>;
  readonly healthServer: { readonly bindAddress: string };
  readonly metricsServer: { readonly bindAddress: string };
}

/** Returns the options of the manager, of which rules and flags are derived too. */
export function greeterSetup(name: string, health: string, metrics: string): GreeterSetup {
  return {
    name,
    leaderElection: {},
    healthServer: { bindAddress: health },
    metricsServer: { bindAddress: metrics },
  };
}
