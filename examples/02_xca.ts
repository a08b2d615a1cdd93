/**
 * Xca on one page: a custom resource, a reconciler that marks each of its objects active, and an
 * operator that runs the reconciler.
 *
 * ```sh
 * deno run --allow-net --allow-read --allow-env examples/02_xca.ts
 * kubectl xca run --install-crds examples/02_xca.ts # the same, with flags
 * ```
 *
 * @module
 */
import {
  controllerFor,
  createClient,
  defineOperator,
  formatTime,
  type KubeObject,
  loadConfig,
  type Operator,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { type DefinedResource, defineResource, s } from "@xca/operator/resource";
import { runExample } from "./run_example.ts";

/** An Xca object, the custom resource of this example. */
export interface Xca extends KubeObject {
  spec?: { foo?: string };
  status?: { active?: boolean; last_update_time: string };
}

/** The resource of Xca objects: the compiler checks that the schemas agree with the interface. */
export const Xca: DefinedResource<Xca> = defineResource({
  group: "apps.xca.k8s.kb.cx",
  version: "v1beta1",
  kind: "Xca",
  spec: s.optional(s.object({ foo: s.optional(s.string()) })),
  status: s.object({ active: s.optional(s.boolean()), last_update_time: s.dateTime() }),
});

/** The operator that marks each Xca object active, once. */
export const operator: Operator = defineOperator({
  name: "xca",
  controllers: [
    controllerFor(Xca).uses(Xca, ["updateStatus"]).reconcile(
      async ({ key, cache, client, clock, log }) => {
        const xca = cache.get(Xca, key);
        if (!xca || xca.status?.active) return;
        const status = { active: true, last_update_time: formatTime(clock.now()) };
        await client.updateStatus(Xca, { ...xca, status });
        log.info("{key} is active", { key });
      },
    ),
  ],
});

if (import.meta.main) {
  await runExample(async () => {
    using client = createClient(await loadConfig());
    const manager = createManager({ client, name: operator.name });
    manager.add(operator);
    await manager.run({ signal: stopSignal() });
  });
}
