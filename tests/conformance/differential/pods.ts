import type { Chance, Fields } from "./chance.ts";

/** A pod spec; now and then a wrong one. */
export function anyPodSpec(chance: Chance): Fields {
  return {
    containers: chance.happens(0.95)
      ? [container(chance, 0), ...chance.list(1, () => container(chance, 1))]
      : [],
    ...chance.fields({
      initContainers: () => [container(chance, 2)],
      volumes: () => chance.list(2, (index) => volume(chance, index)),
      restartPolicy: () => chance.mostly(["Always", "Never", "OnFailure", "Odd"]),
      nodeName: () => chance.mostly(["node-1", "Not OK"]),
      nodeSelector: () => ({ disk: chance.mostly(["ssd", "no good!"]) }),
      serviceAccountName: () => chance.mostly(["default", "robot", "Not OK"]),
      terminationGracePeriodSeconds: () => chance.mostly([0, 5, -1]),
      activeDeadlineSeconds: () => chance.mostly([0, 10, -1]),
      dnsPolicy: () => chance.mostly(["ClusterFirst", "None", "Odd"]),
      hostNetwork: () => chance.happens(0.5),
      priority: () => chance.mostly([0, 5]),
      tolerations: () =>
        chance.list(2, () => ({
          ...chance.fields({
            key: () => chance.mostly(["a", "no good!"]),
            operator: () => chance.mostly(["Exists", "Equal", "Odd"]),
            value: () => "v",
            effect: () => chance.mostly(["NoSchedule", "NoExecute", "Odd"]),
            tolerationSeconds: () => 5,
          }),
        })),
      securityContext: () =>
        chance.fields({
          runAsUser: () => chance.mostly([0, 1000, -1]),
          runAsNonRoot: () => chance.happens(0.5),
          fsGroup: () => chance.mostly([1, -5]),
        }),
      hostname: () => chance.mostly(["host", "Not OK"]),
      schedulingGates: () => [{ name: chance.mostly(["example.com/gate", "odd gate"]) }],
      topologySpreadConstraints: () => [{
        maxSkew: chance.mostly([1, 0]),
        topologyKey: chance.mostly(["zone", ""]),
        whenUnsatisfiable: chance.mostly(["DoNotSchedule", "Odd"]),
      }],
      imagePullSecrets: () => [{ name: "pull" }],
      ephemeralContainers: () => [container(chance, 3)],
      affinity: () => ({
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{
            topologyKey: chance.mostly(["zone", ""]),
            labelSelector: { matchLabels: { app: chance.mostly(["web", "no good!"]) } },
          }],
        },
      }),
      dnsConfig: () => ({ nameservers: [chance.mostly(["192.0.2.1", "nonsense"])] }),
      hostAliases: () => [{ ip: chance.mostly(["192.0.2.1", "x"]), hostnames: ["a.example.com"] }],
      readinessGates: () => [{ conditionType: chance.mostly(["example.com/x", "no good!"]) }],
      preemptionPolicy: () => chance.mostly(["PreemptLowerPriority", "Never", "Odd"]),
      subdomain: () => chance.mostly(["sub", "Not OK"]),
      shareProcessNamespace: () => chance.happens(0.5),
      enableServiceLinks: () => chance.happens(0.5),
      os: () => ({ name: chance.mostly(["linux", "windows", "odd"]) }),
    }, 0.1),
  };
}

/** A pod template that mostly fits the selector `app: web`. */
export function podTemplate(chance: Chance): Fields {
  return {
    metadata: { labels: chance.happens(0.9) ? { app: "web" } : { app: "other" } },
    spec: anyPodSpec(chance),
  };
}

function container(chance: Chance, index: number): Fields {
  return {
    name: chance.happens(0.95) ? `c${index}` : chance.mostly(["", "Not_OK", "c0"]),
    image: chance.happens(0.9)
      ? chance.mostly(["nginx", "nginx:1.2", "nginx:latest", "a/b@sha256:0"])
      : "",
    ...chance.fields({
      command: () => ["run"],
      args: () => chance.list(2, (n) => `arg${n}`),
      imagePullPolicy: () => chance.mostly(["Always", "Never", "Odd"]),
      ports: () =>
        chance.list(2, (n) => ({
          containerPort: chance.mostly([80 + n, 0, 70_000]),
          ...chance.fields({
            name: () => chance.mostly(["http", "Not_OK", "a-name-that-is-too-long"]),
            protocol: () => chance.mostly(["TCP", "UDP", "Odd"]),
            hostPort: () => chance.mostly([80, -1]),
          }),
        })),
      env: () =>
        chance.list(3, () => ({
          name: chance.mostly(["A", "B", "1X", "a=b", ""]),
          ...chance.mostly<Fields>([
            { value: "v" },
            { value: "" },
            {
              valueFrom: { fieldRef: { fieldPath: chance.mostly(["metadata.name", "odd.path"]) } },
            },
            { valueFrom: { configMapKeyRef: { name: "cm", key: chance.mostly(["k", ""]) } } },
            { value: "v", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
          ]),
        })),
      resources: () => ({
        ...chance.fields({
          limits: () => ({ cpu: chance.mostly(["1", "0.5", "1500m", "-1"]), memory: "1Gi" }),
          requests: () => ({
            cpu: chance.mostly(["100m", "2", "1e3m"]),
            memory: chance.mostly(["1024Mi", "1k"]),
          }),
        }, 0.7),
      }),
      livenessProbe: () => probe(chance),
      readinessProbe: () => probe(chance),
      volumeMounts: () =>
        chance.list(2, (n) => ({
          name: chance.mostly(["v0", "v1", "none"]),
          mountPath: chance.mostly([`/m${n}`, "", "a:b"]),
          ...chance.fields({
            readOnly: () => true,
            subPath: () => chance.mostly(["a", "../x", "/abs"]),
          }),
        })),
      securityContext: () =>
        chance.fields({
          privileged: () => chance.happens(0.5),
          runAsUser: () => chance.mostly([0, -1]),
          allowPrivilegeEscalation: () => chance.happens(0.5),
          capabilities: () => ({ add: ["NET_ADMIN"] }),
        }),
      terminationMessagePolicy: () => chance.mostly(["File", "Odd"]),
      lifecycle: () => ({ preStop: chance.mostly<Fields>([{ exec: { command: ["x"] } }, {}]) }),
      workingDir: () => "/w",
      stdin: () => true,
    }, 0.2),
  };
}

function probe(chance: Chance): Fields {
  return {
    ...chance.mostly<Fields>([
      { httpGet: { path: "/", port: chance.mostly<unknown>([80, "http", 0]) } },
      { tcpSocket: { port: 80 } },
      { exec: { command: chance.mostly([["x"], []]) } },
      { grpc: { port: 80 } },
      {},
    ]),
    ...chance.fields({
      periodSeconds: () => chance.mostly([1, 0, -1]),
      successThreshold: () => chance.mostly([1, 2]),
      timeoutSeconds: () => chance.mostly([1, -1]),
      terminationGracePeriodSeconds: () => chance.mostly([1, 0]),
    }, 0.3),
  };
}

function volume(chance: Chance, index: number): Fields {
  return {
    name: chance.happens(0.9) ? `v${index}` : chance.mostly(["v0", "Not_OK", ""]),
    ...chance.mostly<Fields>([
      { emptyDir: {} },
      { emptyDir: { medium: "Memory", sizeLimit: chance.mostly(["1Gi", "-1"]) } },
      { configMap: { name: "cm" } },
      {
        configMap: {
          name: "cm",
          defaultMode: chance.mostly([420, 9999]),
          items: [{ key: "k", path: chance.mostly(["p", "../p"]) }],
        },
      },
      { secret: { secretName: "s", optional: true } },
      {
        hostPath: {
          path: chance.mostly(["/x", "", "/a/../b"]),
          type: chance.mostly(["", "Directory", "Odd"]),
        },
      },
      { persistentVolumeClaim: { claimName: chance.mostly(["claim", ""]) } },
      {
        projected: {
          sources: [{
            serviceAccountToken: { path: "t", expirationSeconds: chance.mostly([600, 5]) },
          }],
        },
      },
      { downwardAPI: { items: [{ path: "l", fieldRef: { fieldPath: "metadata.labels" } }] } },
      { emptyDir: {}, configMap: { name: "cm" } },
      {},
    ]),
  };
}
