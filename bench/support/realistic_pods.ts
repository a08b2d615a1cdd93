import { type Random, seededRandom } from "../../lib/apimachinery/base/time/random.ts";
import type { V1ManagedFieldsEntry } from "../../lib/apimachinery/kubernetes_types/mod.ts";
import type { UnstructuredObject } from "../../lib/apimachinery/meta/object.ts";

const NAMESPACES = 40;
const PODS_PER_SET = 25;
const NODES = 300;

/**
 * A generator of pods as a busy cluster has them: near 6 KB of JSON in the server's field order, of
 * which 2.4 KB are managedFields; each with its own name, UIDs, addresses, image digests and times,
 * in replica sets of 25.
 */
export class PodMaker {
  readonly #random: Random;
  readonly #sets: { name: string; uid: string; hash: string; app: string }[] = [];

  /** Creates a generator of pods that returns the same pods for the same seed. */
  constructor(seed = 1) {
    this.#random = seededRandom(seed);
  }

  /**
   * Returns the pod of a number, at a resourceVersion. A second call returns the same names, but
   * new values.
   */
  pod(number: number, resourceVersion: number): UnstructuredObject {
    const setNumber = Math.floor(number / PODS_PER_SET);
    const set = this.#set(setNumber);
    const namespace = `team-${setNumber % NAMESPACES}`;
    const name = `${set.name}-${suffix(number)}`;
    const start = 1_760_000_000_000 + Math.floor(this.#random.next() * 1e10);
    const at = (seconds: number): string =>
      `${new Date(start + seconds * 1000).toISOString().slice(0, 19)}Z`;
    const node = Math.floor(this.#random.next() * NODES);
    const volume = `kube-api-access-${this.#hex(5)}`;
    return {
      kind: "Pod",
      apiVersion: "v1",
      metadata: {
        name,
        generateName: `${set.name}-`,
        namespace,
        uid: this.#random.uuid(),
        resourceVersion: String(resourceVersion),
        generation: 1,
        creationTimestamp: at(0),
        labels: {
          "app.kubernetes.io/name": set.app,
          "app.kubernetes.io/instance": `${set.app}-production`,
          "app.kubernetes.io/version": `1.${setNumber % 30}.0`,
          "app.kubernetes.io/managed-by": "Helm",
          "pod-template-hash": set.hash,
        },
        annotations: {
          "checksum/config": this.#hex(64),
          "prometheus.io/scrape": "true",
          "prometheus.io/port": "9090",
        },
        ownerReferences: [{
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: set.name,
          uid: set.uid,
          controller: true,
          blockOwnerDeletion: true,
        }],
        managedFields: managedFields(set.uid, at),
      },
      spec: this.#spec(set.app, setNumber, node, volume),
      status: this.#status(set.app, setNumber, node, at),
    };
  }

  #set(number: number): { name: string; uid: string; hash: string; app: string } {
    let set = this.#sets[number];
    if (set === undefined) {
      const app = `${WORDS[number % WORDS.length]}-${WORDS[(number * 7 + 3) % WORDS.length]}`;
      const hash = this.#hex(10);
      set = { name: `${app}-${hash}`, uid: this.#random.uuid(), hash, app };
      this.#sets[number] = set;
    }
    return set;
  }

  #hex(digits: number): string {
    let text = "";
    while (text.length < digits) {
      text += Math.floor(this.#random.next() * 2 ** 32).toString(16).padStart(8, "0");
    }
    return text.slice(0, digits);
  }

  #spec(app: string, set: number, node: number, volume: string): Record<string, unknown> {
    return {
      volumes: [
        { name: "config", configMap: { name: `${app}-config`, defaultMode: 420 } },
        {
          name: volume,
          projected: {
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
              {
                configMap: {
                  name: "kube-root-ca.crt",
                  items: [{ key: "ca.crt", path: "ca.crt" }],
                },
              },
            ],
            defaultMode: 420,
          },
        },
      ],
      containers: [{
        name: app,
        image: `registry.example.com/teams/${app}:1.${set % 30}.0`,
        args: ["--config=/etc/app/config.yaml", `--shard=${set % 16}`],
        ports: [
          { name: "http", containerPort: 8080, protocol: "TCP" },
          { name: "metrics", containerPort: 9090, protocol: "TCP" },
        ],
        env: [
          {
            name: "POD_IP",
            valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "status.podIP" } },
          },
          { name: "LOG_LEVEL", value: "info" },
        ],
        resources: {
          limits: { cpu: "500m", memory: "512Mi" },
          requests: { cpu: "100m", memory: "256Mi" },
        },
        volumeMounts: [
          { name: "config", readOnly: true, mountPath: "/etc/app" },
          {
            name: volume,
            readOnly: true,
            mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
          },
        ],
        readinessProbe: {
          httpGet: { path: "/healthz", port: "http", scheme: "HTTP" },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "IfNotPresent",
      }],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      serviceAccountName: app,
      serviceAccount: app,
      nodeName: `node-${node}.example.com`,
      securityContext: {},
      schedulerName: "default-scheduler",
      tolerations: ["not-ready", "unreachable"].map((key) => ({
        key: `node.kubernetes.io/${key}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: "PreemptLowerPriority",
    };
  }

  #status(
    app: string,
    set: number,
    node: number,
    at: (seconds: number) => string,
  ): Record<string, unknown> {
    const ip = `10.${node % 256}.${Math.floor(this.#random.next() * 256)}.${
      Math.floor(this.#random.next() * 254) + 1
    }`;
    const hostIP = `192.168.${node >> 8}.${node & 255}`;
    return {
      phase: "Running",
      conditions: [
        ["PodReadyToStartContainers", 3],
        ["Initialized", 0],
        ["Ready", 9],
        ["ContainersReady", 9],
        ["PodScheduled", 0],
      ].map(([type, seconds]) => ({
        type,
        status: "True",
        lastProbeTime: null,
        lastTransitionTime: at(seconds as number),
      })),
      hostIP,
      hostIPs: [{ ip: hostIP }],
      podIP: ip,
      podIPs: [{ ip }],
      startTime: at(0),
      containerStatuses: [{
        name: app,
        state: { running: { startedAt: at(2) } },
        lastState: {},
        ready: true,
        restartCount: Math.floor(this.#random.next() * 3),
        image: `registry.example.com/teams/${app}:1.${set % 30}.0`,
        imageID: `registry.example.com/teams/${app}@sha256:${this.#hex(64)}`,
        containerID: `containerd://${this.#hex(64)}`,
        started: true,
      }],
      qosClass: "Burstable",
    };
  }
}

/** Returns an object as the line of a watch, with the newline. */
export function watchLine(type: string, object: unknown): string {
  return `{"type":"${type}","object":${JSON.stringify(object)}}\n`;
}

function suffix(number: number): string {
  const letters = "bcdfghjklmnpqrstvwxz2456789";
  let text = "";
  for (let rest = number * 2_654_435 + 12_345, i = 0; i < 5; i++) {
    text += letters[rest % letters.length];
    rest = Math.floor(rest / letters.length);
  }
  return `${text}${number.toString(36)}`;
}

function managedFields(owner: string, at: (seconds: number) => string): V1ManagedFieldsEntry[] {
  const all = (...names: string[]): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, {}]));
  const conditions = ["ContainersReady", "Initialized", "PodReadyToStartContainers", "Ready"];
  return [
    {
      manager: "kube-controller-manager",
      operation: "Update",
      apiVersion: "v1",
      time: at(0),
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:metadata": {
          "f:annotations": {
            ".": {},
            ...all("f:checksum/config", "f:prometheus.io/port", "f:prometheus.io/scrape"),
          },
          "f:generateName": {},
          "f:labels": {
            ".": {},
            ...all(
              "f:app.kubernetes.io/instance",
              "f:app.kubernetes.io/managed-by",
              "f:app.kubernetes.io/name",
              "f:app.kubernetes.io/version",
              "f:pod-template-hash",
            ),
          },
          "f:ownerReferences": { ".": {}, [`k:{"uid":"${owner}"}`]: {} },
        },
        "f:spec": {
          "f:containers": {
            'k:{"name":"app"}': {
              ".": {},
              ...all("f:args", "f:image", "f:imagePullPolicy", "f:name"),
              "f:env": {
                ".": {},
                'k:{"name":"LOG_LEVEL"}': all(".", "f:name", "f:value"),
                'k:{"name":"POD_IP"}': { ...all(".", "f:name"), "f:valueFrom": all("f:fieldRef") },
              },
              "f:ports": {
                ".": {},
                'k:{"containerPort":8080,"protocol":"TCP"}': all(
                  ".",
                  "f:containerPort",
                  "f:name",
                  "f:protocol",
                ),
                'k:{"containerPort":9090,"protocol":"TCP"}': all(
                  ".",
                  "f:containerPort",
                  "f:name",
                  "f:protocol",
                ),
              },
              "f:readinessProbe": {
                ...all(".", "f:failureThreshold"),
                "f:httpGet": all(".", "f:path", "f:port", "f:scheme"),
                ...all("f:periodSeconds", "f:successThreshold", "f:timeoutSeconds"),
              },
              "f:resources": {
                ".": {},
                "f:limits": all(".", "f:cpu", "f:memory"),
                "f:requests": all(".", "f:cpu", "f:memory"),
              },
              ...all("f:terminationMessagePath", "f:terminationMessagePolicy"),
            },
          },
          ...all("f:dnsPolicy", "f:enableServiceLinks", "f:restartPolicy", "f:schedulerName"),
        },
      },
    },
    {
      manager: "kubelet",
      operation: "Update",
      apiVersion: "v1",
      time: at(9),
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:status": {
          "f:conditions": Object.fromEntries(
            conditions.map((type) => [
              `k:{"type":"${type}"}`,
              all(".", "f:lastProbeTime", "f:lastTransitionTime", "f:status", "f:type"),
            ]),
          ),
          ...all("f:containerStatuses", "f:hostIP", "f:hostIPs", "f:phase", "f:podIP"),
          "f:podIPs": { ".": {}, 'k:{"ip":"10.1.2.3"}': all(".", "f:ip") },
          "f:startTime": {},
        },
      },
      subresource: "status",
    },
  ];
}

const WORDS = (
  "billing checkout search catalog ledger mailer gateway profile session upload image report " +
  "invoice tax price stock order cart review rating feed chat push alert metric trace audit"
).split(" ");
