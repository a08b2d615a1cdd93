/**
 * The children of a WebApp: the objects that run it, and only those that its spec asks for.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { ConfigMap, Deployment, keyOf, Service } from "@xca/operator";
import { type Child, child, ChildSet } from "@xca/operator/controller";
import { HorizontalPodAutoscaler, Ingress } from "@xca/operator/meta";
import { WebApp } from "./app.ts";

/** The key of the label of the pods of a WebApp; the value is the name of the WebApp. */
const APP_LABEL = "apps.example.org/app";
/**
 * The key of the annotation of pods with the hash of the settings, so that a change of the settings
 * replaces the pods.
 */
const SETTINGS_HASH = "apps.example.org/settings";

/** The children of WebApps. Those that a WebApp no longer asks for are deleted. */
export const children: ChildSet<WebApp> = new ChildSet<WebApp>({
  name: "web-apps",
  parent: WebApp,
  types: [ConfigMap, Deployment, Service, HorizontalPodAutoscaler, Ingress],
  desired: (app, { cache }) => {
    if (app.status?.expired) return [];
    const { scale, host } = app.spec;
    return [
      settingsOf(app),
      deploymentOf(app, cache.get(Deployment, keyOf(app))?.spec?.replicas),
      serviceOf(app),
      ...scale ? [autoscalerOf(app, scale)] : [],
      ...host === undefined ? [] : [ingressOf(app, host)],
    ];
  },
});

const labelsOf = ({ metadata }: WebApp): Record<string, string> => ({
  [APP_LABEL]: metadata.name!,
});

/** Returns the name and namespace of a WebApp, which all its children have. */
function metadataOf(
  { metadata: { name = "", namespace = "" } }: WebApp,
): { name: string; namespace: string } {
  return { name, namespace };
}

function settingsOf(app: WebApp): Child {
  return child(ConfigMap, { metadata: metadataOf(app), data: app.spec.settings });
}

function deploymentOf(app: WebApp, current: number | undefined): Child {
  const { image, port, settings } = app.spec;
  const { name } = metadataOf(app);
  const labels = labelsOf(app);
  const hash = createHash("sha256").update(JSON.stringify(Object.entries(settings).sort()));
  return child(Deployment, {
    metadata: metadataOf(app),
    spec: {
      replicas: replicasOf(app.spec, current),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { [SETTINGS_HASH]: hash.digest("hex").slice(0, 16) } },
        spec: {
          containers: [{
            name: "app",
            image,
            ports: [{ name: "http", containerPort: port, protocol: "TCP" }],
            envFrom: [{ configMapRef: { name } }],
            resources: { requests: { cpu: "100m" } },
          }],
        },
      },
    },
  });
}

/**
 * Returns the number of replicas. With an autoscaler, the current number within its limits is
 * returned: a Deployment without a number would shrink to one replica when it gets an autoscaler.
 */
function replicasOf({ replicas, scale }: WebApp["spec"], current: number | undefined): number {
  return scale ? Math.min(Math.max(current ?? 0, scale.minimum), scale.maximum) : replicas;
}

function serviceOf(app: WebApp): Child {
  return child(Service, {
    metadata: metadataOf(app),
    spec: {
      selector: labelsOf(app),
      ports: [{ name: "http", port: 80, targetPort: "http", protocol: "TCP" }],
    },
  });
}

function autoscalerOf(app: WebApp, scale: NonNullable<WebApp["spec"]["scale"]>): Child {
  const { name } = metadataOf(app);
  const { minimum, maximum, cpuPercent } = scale;
  return child(HorizontalPodAutoscaler, {
    metadata: metadataOf(app),
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      minReplicas: minimum,
      maxReplicas: maximum,
      metrics: [{
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: cpuPercent } },
      }],
    },
  });
}

function ingressOf(app: WebApp, host: string): Child {
  const service = { name: metadataOf(app).name, port: { name: "http" } };
  return child(Ingress, {
    metadata: metadataOf(app),
    spec: {
      rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend: { service } }] } }],
    },
  });
}

/** Returns the URL of a WebApp: with its host name, or with its Service's name in the cluster. */
export function urlOf(app: WebApp): string {
  const { name, namespace } = metadataOf(app);
  return `http://${app.spec.host ?? `${name}.${namespace}.svc`}/`;
}
