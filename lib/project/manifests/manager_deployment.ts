import type {
  V1Deployment,
  V1PodDisruptionBudget,
  V1Service,
} from "@xca/apimachinery/kubernetes-types";
import { denoFlagsOf } from "../../rbac/deno_flags.ts";
import { WEBHOOK_PORT } from "../../webhook/server/webhook_server.ts";
import {
  type DeploymentNames,
  HEALTH_PORT,
  labelsOf,
  METRICS_PORT,
  selectorOf,
  webhookSecretOf,
  webhookServiceOf,
} from "./manifest.ts";
import { OPERATOR_ENVIRONMENT, V8_FLAGS } from "../runtime_settings.ts";

/** Options of {@linkcode managerDeployment}, which generates the Deployment of an operator. */
export interface ManagerOptions extends DeploymentNames {
  /** The image of the operator's container. */
  readonly image: string;
  /** The number of replicas of the operator's Deployment. */
  readonly replicas: number;
  /** Sets whether the operator's program serves webhooks. */
  readonly webhooks: boolean;
  /**
   * The folder of the webhook server's certificate; `undefined` when the program keeps the
   * certificate itself or serves no webhooks.
   */
  readonly certificateFolder: string | undefined;
  /** Sets whether the operator's program serves metrics. */
  readonly metrics: boolean;
  /** The namespaces that the operator's program watches; `undefined` for all. */
  readonly watchNamespaces?: readonly string[] | undefined;
}

/** The path of the operator program's bundle, relative to the working folder of the image. */
const PROGRAM = "main.js";
/** The folder of the container where the certificate Secret of cert-manager is mounted. */
export const CERTIFICATE_FOLDER = "/var/run/secrets/webhook-certificate";

/**
 * Returns the manifest of the Deployment of an operator. The pods have no rights on their nodes and
 * a read-only file system, and the program has permission only to reach the API server, to listen
 * on its ports, and to read the files of its service account and certificate.
 *
 * The flags of Deno are arguments of the container, since Kubernetes replaces environment variables
 * in arguments, such as the address of the API server.
 */
export function managerDeployment(options: ManagerOptions): V1Deployment {
  const { name, namespace, replicas } = options;
  const labels = labelsOf(options);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: selectorOf(options) },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          // Half a minute for reconciles in progress, and time to exit.
          terminationGracePeriodSeconds: 40,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            runAsGroup: 65532,
            // The group that may read mounted Secrets.
            fsGroup: 65532,
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [container(options)],
          ...(mountsSecret(options) && {
            volumes: [{
              name: "webhook-certificate",
              secret: { secretName: webhookSecretOf(options), defaultMode: 0o440 },
            }],
          }),
        },
      },
    },
  };
}

function container(
  options: ManagerOptions,
): NonNullable<V1Deployment["spec"]["template"]["spec"]>["containers"][number] {
  return {
    name: "manager",
    image: options.image,
    args: [
      "run",
      "--no-lock",
      V8_FLAGS,
      ...denoFlags(options),
      PROGRAM,
      ...(options.certificateFolder === undefined
        ? []
        : [`--webhook-cert-path=${options.certificateFolder}`]),
      ...(options.metrics ? [] : ["--metrics-bind-address=0"]),
      ...(options.watchNamespaces ?? []).map((each) => `--namespace=${each}`),
    ],
    env: Object.entries(OPERATOR_ENVIRONMENT).map(([name, value]) => ({ name, value })),
    ports: [
      ...(options.metrics ? [{ name: "metrics", containerPort: METRICS_PORT }] : []),
      { name: "health", containerPort: HEALTH_PORT },
      ...(options.webhooks ? [{ name: "webhooks", containerPort: WEBHOOK_PORT }] : []),
    ],
    livenessProbe: {
      httpGet: { path: "/healthz", port: "health" },
      initialDelaySeconds: 15,
      periodSeconds: 20,
    },
    readinessProbe: {
      httpGet: { path: "/readyz", port: "health" },
      initialDelaySeconds: 5,
      periodSeconds: 10,
    },
    resources: { requests: { cpu: "10m", memory: "96Mi" }, limits: { memory: "256Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    ...(mountsSecret(options) && {
      volumeMounts: [{
        name: "webhook-certificate",
        mountPath: CERTIFICATE_FOLDER,
        readOnly: true,
      }],
    }),
  };
}

/**
 * Reports whether the Deployment mounts the certificate of the webhook server; OLM adds the mount
 * of its certificate itself.
 */
function mountsSecret({ certificateFolder }: ManagerOptions): boolean {
  return certificateFolder === CERTIFICATE_FOLDER;
}

/** Returns the flags of `deno run` that grant the operator's program its minimal permissions. */
function denoFlags({ webhooks, certificateFolder, metrics }: ManagerOptions): string[] {
  return denoFlagsOf({
    healthServer: { bindAddress: `:${HEALTH_PORT}` },
    ...(metrics && { metricsServer: { bindAddress: `:${METRICS_PORT}` } }),
    ...(webhooks && { webhookServer: { bindAddress: `:${WEBHOOK_PORT}` } }),
    ...(certificateFolder !== undefined && { read: [certificateFolder] }),
  });
}

/**
 * Returns the manifest of the Service through which metrics of an operator's replicas are read, on
 * port 8443.
 */
export function metricsService(names: DeploymentNames): V1Service {
  const port = { name: "metrics", port: METRICS_PORT, targetPort: "metrics" };
  return service(names, `${names.name}-metrics`, port);
}

/**
 * Returns the manifest of the Service through which the API server calls the webhooks of an
 * operator's replicas, on port 443.
 */
export function webhookService(names: DeploymentNames): V1Service {
  const port = { name: "https", port: 443, targetPort: "webhooks" };
  return service(names, webhookServiceOf(names), port);
}

function service(
  names: DeploymentNames,
  name: string,
  port: { readonly name: string; readonly port: number; readonly targetPort: string },
): V1Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: names.namespace, labels: labelsOf(names) },
    spec: { ports: [{ ...port, protocol: "TCP" }], selector: selectorOf(names) },
  };
}

/**
 * Returns the manifest of the PodDisruptionBudget of an operator, which allows the eviction of one
 * replica at a time.
 */
export function disruptionBudget(names: DeploymentNames): V1PodDisruptionBudget {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: names.name, namespace: names.namespace, labels: labelsOf(names) },
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(names) } },
  };
}
