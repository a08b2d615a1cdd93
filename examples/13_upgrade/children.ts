/**
 * The children of a Shop: its Service, its Deployment, and the Jobs that migrate its schema. They
 * are a function of its spec and of the phase of its upgrade.
 *
 * @module
 */
import { Deployment, Service } from "@xca/operator";
import { type Child, child, ChildSet } from "@xca/operator/controller";
import { Job } from "@xca/operator/meta";
import { Shop, type Upgrade } from "./shop.ts";

/** The key of the label of the pods of a Shop; the value is the name of the Shop. */
export const SHOP_LABEL = "upgrades.example.org/shop";

/**
 * The children of Shops. The Jobs of upgrades that have completed or were rolled back are deleted.
 */
export const children: ChildSet<Shop> = new ChildSet<Shop>({
  name: "shops",
  parent: Shop,
  types: [Service, Deployment, Job],
  desired: (shop) => [serviceOf(shop), ...deploymentOf(shop), ...jobsOf(shop)],
});

/** Returns the name of a migration Job of a Shop's upgrade in progress, such as `shop-1-up`. */
export function jobName(shop: Shop, step: "up" | "down"): string {
  return `${shop.metadata.name}-${shop.status?.upgrade?.number}-${step}`;
}

function serviceOf({ metadata: { name = "", namespace = "" } }: Shop): Child {
  return child(Service, {
    metadata: { name, namespace },
    spec: {
      selector: { [SHOP_LABEL]: name },
      ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }],
    },
  });
}

/**
 * Returns the Deployment of a Shop, with no replicas while an upgrade is in progress, except while
 * the new pods start; an empty list before the first schema is installed.
 */
function deploymentOf({ metadata, spec, status }: Shop): Child[] {
  const { name = "", namespace = "" } = metadata;
  const { upgrade, version } = status ?? {};
  const isStarted = upgrade?.phase === "Starting" || upgrade?.phase === "Stopping";
  const shown = isStarted ? upgrade.to : version;
  if (shown === undefined) return [];
  const serves = upgrade === undefined || upgrade.phase === "Starting";
  const labels = { [SHOP_LABEL]: name };
  return [
    child(Deployment, {
      metadata: { name, namespace },
      spec: {
        replicas: serves ? spec.replicas : 0,
        selector: { matchLabels: labels },
        strategy: { type: "Recreate" },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "shop", image: `${spec.image}:${shown}` }] },
        },
      },
    }),
  ];
}

/**
 * Returns the migration Jobs of a Shop's upgrade; an empty list without an upgrade, and while the
 * old pods terminate. The image of the new version migrates in both directions, since the old one
 * does not contain the new schema.
 */
function jobsOf(shop: Shop): Child[] {
  const { upgrade } = shop.status ?? {};
  if (!upgrade || upgrade.phase === "Draining") return [];
  const up = migration(shop, upgrade, "up");
  return upgrade.phase === "Reverting" ? [up, migration(shop, upgrade, "down")] : [up];
}

function migration(shop: Shop, { from, to }: Upgrade, step: "up" | "down"): Child {
  const { metadata: { namespace = "" }, spec: { image, migrationSeconds } } = shop;
  const [first, last] = step === "up" ? [from, to] : [to, from];
  return child(Job, {
    metadata: { name: jobName(shop, step), namespace },
    spec: {
      backoffLimit: 2,
      activeDeadlineSeconds: migrationSeconds,
      podReplacementPolicy: "Failed", // no two pods migrate at once
      template: {
        spec: {
          restartPolicy: "Never",
          containers: [{
            name: "migrate",
            image: `${image}:${to}`,
            args: ["migrate", `--from=${first}`, `--to=${last}`],
          }],
        },
      },
    },
  });
}
