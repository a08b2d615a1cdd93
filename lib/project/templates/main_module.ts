/** Returns the text of a new project's `main.ts`, the program of the operator's image. */
export function mainModule(operator: string): string {
  return `import { parseArgs } from "node:util";
import { createClient, startLogging } from "@xca/operator";
import { inClusterConfig } from "@xca/operator/client";
import { createManager, managerMetrics, stopSignal } from "@xca/operator/manager";
import {
  caBundleTargetsOf,
  filesCertificate,
  ownCertificates,
  webhookServer,
} from "@xca/operator/webhook";
import operator from "./${operator}";

// The Deployment, and the values of a Helm chart, set these.
const { values } = parseArgs({
  options: {
    "compile": { type: "boolean" },
    "metrics-bind-address": { type: "string", default: ":8443" },
    "namespace": { type: "string", multiple: true },
    "webhook-cert-path": { type: "string" },
  },
});

/** Runs the operator until the pod is stopped. */
async function run(): Promise<void> {
  await using _logging = await startLogging({ format: "json" });
  const metrics = managerMetrics();
  const config = await inClusterConfig();
  using client = createClient(config, { metrics: metrics.client });
  const { name } = operator;
  const metricsAddress = values["metrics-bind-address"];

  const manager = createManager({
    client,
    name,
    namespaces: values.namespace, // all, if there are none
    leaderElection: {}, // of several replicas one reconciles
    healthServer: { bindAddress: ":8081" },
    metricsServer: metricsAddress === "0" ? undefined : { bindAddress: metricsAddress, metrics },
  });
  manager.add(operator);

  // The API server calls webhooks by a Service. Their certificate is in a Secret, which the replicas keep;
  // manifests for cert-manager and OLM, which issue certificates themselves, name the folder of theirs.
  const path = values["webhook-cert-path"];
  const namespace = config.namespace ?? "default";
  const webhooks = webhookServer({
    operators: [operator],
    certificate: path ? filesCertificate({ path }) : ownCertificates({
      client,
      secret: { name: \`\${name}-webhook-certificate\`, namespace },
      service: { name: \`\${name}-webhooks\`, namespace },
      targets: caBundleTargetsOf(operator),
    }),
    client,
    metrics: metrics.webhooks,
    certificateMetrics: metrics.certificates,
  });
  if (webhooks.paths.length > 0) manager.add(webhooks);

  await manager.run({ signal: stopSignal() });
}

// The build of the image only loads the program, so that V8's compiled code is in the image.
if (!values.compile) await run();
`;
}
