/** Objects that the kubectl cases write. */

/** A Deployment of one container. */
export function deployment(name: string, image = "nginx:1.27"): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: "web", image, ports: [{ containerPort: 80 }] }] },
      },
    },
  };
}

/** A ConfigMap. */
export function configMap(name: string, data: Record<string, string> = { a: "1" }): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { kind: "cm" } }, data };
}

/** A Pod on a node, so that nothing waits for a scheduler. */
export function pod(name: string): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: name } },
    spec: {
      containers: [{
        name: "main",
        image: "busybox",
        command: ["sleep", "1"],
        env: [{ name: "A", value: "b" }],
        resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "128Mi" } },
        volumeMounts: [{ name: "v", mountPath: "/v" }],
      }],
      volumes: [{ name: "v", emptyDir: {} }],
    },
  };
}

/** A Service. */
export function service(name: string): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
  };
}

/** A CustomResourceDefinition in a group of the case's own. */
export function definition(group: string): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "gadgets", singular: "gadget", kind: "Gadget", shortNames: ["gd"] },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
        },
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Colour", type: "string", jsonPath: ".spec.colour", priority: 1 },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "A gadget is what a case makes.",
            properties: {
              spec: {
                type: "object",
                description: "What is wanted.",
                required: ["size"],
                properties: {
                  size: { type: "integer", description: "How large it is.", minimum: 0 },
                  colour: { type: "string", enum: ["red", "blue"], default: "red" },
                },
              },
              status: { type: "object", properties: { size: { type: "integer" } } },
            },
          },
        },
      }],
    },
  };
}
