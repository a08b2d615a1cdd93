/**
 * The operator of the tests of charts and of cert-manager: a kind with two versions and webhooks, with
 * children in its namespace, and a watch of a cluster-scoped kind.
 */
import { ConfigMap, controllerFor, defineOperator, Namespace, type Operator } from "@xca/operator";
import { defineResource, s } from "@xca/operator/resource";
import { field, webhookFor } from "@xca/operator/webhook";

const Disk = defineResource({
  group: "guarded.example.org",
  kind: "Disk",
  storedVersion: "v1",
  versions: {
    v1alpha1: {
      spec: s.object({ size: s.string({ pattern: "^[0-9]{1,5}Gi$" }) }),
      convert: {
        toStored: ({ spec, ...rest }) => ({ ...rest, spec: { gibibytes: parseInt(spec.size) } }),
        fromStored: ({ spec, ...rest }) => ({ ...rest, spec: { size: `${spec.gibibytes}Gi` } }),
      },
    },
    v1: { spec: s.object({ gibibytes: s.integer({ minimum: 0, maximum: 99_999 }) }) },
  },
});

const controller = controllerFor(Disk)
  .owns(ConfigMap)
  .watches(Namespace, () => [])
  .uses(ConfigMap, ["applyChild"])
  .reconcile(() => {});

const webhook = webhookFor(Disk)
  .defaulter(({ object }) => {
    object.metadata.labels = { ...object.metadata.labels, guarded: "yes" };
  })
  .validator({
    create: ({ object }) => {
      if (object.spec.gibibytes === 13) return [field.invalid("spec.gibibytes", 13, "is unlucky")];
    },
  });

/** The operator of the tests. */
export const guarded: Operator = defineOperator({
  name: "guarded",
  controllers: [controller],
  webhooks: [webhook],
});

export default guarded;
