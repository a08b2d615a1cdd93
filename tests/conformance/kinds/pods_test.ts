import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Answer } from "../target.ts";
import { container, createContainer, createPod, merge, type Some } from "./workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url);

function isInvalid({ code, body }: Answer, ...fields: string[]): void {
  assert.equal(code, 422, JSON.stringify(body));
  const causes: { field: string }[] = body.details.causes;
  assert.deepEqual([...new Set(causes.map(({ field }) => field))], fields);
}

conformance("a pod gets all its defaults", async (t) => {
  const { code, body } = await createPod(t);
  assert.equal(code, 201);
  assert.equal(body.status.phase, "Pending");
  assert.equal(body.status.qosClass, "BestEffort");
});

conformance("containers, ports, probes and volumes get their defaults", async (t) => {
  const probe = { httpGet: { port: 80 } };
  const { code } = await createPod(t, {
    containers: [
      container({
        image: "nginx",
        ports: [{ containerPort: 80 }],
        env: [{ name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
        livenessProbe: probe,
        readinessProbe: { exec: { command: ["true"] } },
        startupProbe: { grpc: { port: 9000 } },
        lifecycle: { preStop: probe },
      }),
      container({ name: "by-digest", image: `nginx@sha256:${"0".repeat(64)}` }),
    ],
    volumes: [
      { name: "empty" },
      { name: "config", configMap: { name: "a" } },
      { name: "secret", secret: { secretName: "a" } },
      { name: "host", hostPath: { path: "/x" } },
      {
        name: "info",
        downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "metadata.name" } }] },
      },
      { name: "all", projected: { sources: [{ configMap: { name: "a" } }] } },
      { name: "image", image: { reference: "busybox" } },
      {
        name: "iscsi",
        iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:x", lun: 0 },
      },
    ],
  });
  assert.equal(code, 201);
});

conformance("limits are the requests that are not named", async (t) => {
  const limits = { cpu: "1", memory: "1Gi" };
  const { body } = await createContainer(t, { resources: { limits, requests: { cpu: "500m" } } });
  assert.deepEqual(body.spec.containers[0].resources.requests, { cpu: "500m", memory: "1Gi" });
  assert.equal(body.status.qosClass, "Burstable");
});

conformance("equal limits and requests make a pod Guaranteed", async (t) => {
  const { body } = await createContainer(t, { resources: { limits: { cpu: "1", memory: "1Gi" } } });
  assert.equal(body.status.qosClass, "Guaranteed");
});

conformance("resources of a pod as a whole take those of its containers", async (t) => {
  const { code } = await createPod(t, {
    resources: { limits: { cpu: "4", memory: "2Gi" } },
    containers: [container({ resources: { requests: { cpu: "1" } } })],
  });
  assert.equal(code, 201);
});

conformance("a container may not ask for more than its pod", async (t) => {
  await createPod(t, {
    resources: { limits: { cpu: "1" }, requests: { cpu: "1" } },
    containers: [container({ resources: { limits: { cpu: "2" }, requests: { cpu: "2" } } })],
  });
});

conformance("ports of a pod on its host's network are the host's", async (t) => {
  const { body } = await createPod(t, {
    hostNetwork: true,
    containers: [container({ ports: [{ containerPort: 80 }] })],
  });
  assert.equal(body.spec.containers[0].ports[0].hostPort, 80);
});

conformance("a host's network has one number for a port", async (t) => {
  const ports = [{ containerPort: 80, hostPort: 81 }];
  isInvalid(
    await createPod(t, { hostNetwork: true, containers: [container({ ports })] }),
    "spec.containers[0].ports[0].hostPort",
  );
});

conformance("both names of the service account say the same", async (t) => {
  const { body } = await createPod(t, { serviceAccount: "builder" });
  assert.equal(body.spec.serviceAccountName, "builder");
});

conformance("a status given at creation is dropped", async (t) => {
  const { body } = await t.post(t.path("pods"), {
    metadata: { name: "p" },
    spec: { containers: [container()] },
    status: { phase: "Running", podIP: "10.1.1.1" },
  });
  assert.equal(body.status.phase, "Pending");
});

conformance("scheduling gates hold a pod back", async (t) => {
  const { body } = await createPod(t, { schedulingGates: [{ name: "example.com/wait" }] });
  assert.equal(body.status.conditions[0].reason, "SchedulingGated");
});

conformance("a gated pod cannot name its node", async (t) => {
  const schedulingGates = [{ name: "example.com/wait" }];
  isInvalid(await createPod(t, { schedulingGates, nodeName: "n" }), "spec.nodeName");
});

conformance("label keys of a pod are merged into its selectors", async (t) => {
  const term = { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } } };
  const { code } = await createPod(t, {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { ...term, matchLabelKeys: ["version"], mismatchLabelKeys: ["tenant"] },
        ],
      },
    },
  }, { labels: { version: "1", tenant: "x" } });
  assert.equal(code, 201);
});

conformance("an AppArmor annotation becomes the field", async (t) => {
  const annotations = { "container.apparmor.security.beta.kubernetes.io/c": "runtime/default" };
  const { body } = await createPod(t, {}, { annotations });
  assert.equal(body.spec.containers[0].securityContext.appArmorProfile.type, "RuntimeDefault");
});

conformance("a pod without containers", async (t) => {
  isInvalid(await createPod(t, { containers: [] }), "spec.containers");
});

conformance("a container without name and image", async (t) => {
  isInvalid(
    await createPod(t, { containers: [{}] }),
    "spec.containers[0].name",
    "spec.containers[0].image",
  );
});

conformance("names of containers are labels, and unique", async (t) => {
  const named = (name: string): Some => container({ name });
  await createPod(t, {
    containers: [named("A"), named("b"), named("b")],
    initContainers: [named("b")],
  });
});

conformance("wrong enumerations are told what is supported", async (t) => {
  await createPod(t, {
    restartPolicy: "Sometimes",
    dnsPolicy: "Best",
    os: { name: "plan9" },
    containers: [container({ imagePullPolicy: "Perhaps", terminationMessagePolicy: "Shout" })],
  });
});

conformance("ports are numbers below 65536, their names have letters", async (t) => {
  await createContainer(t, {
    ports: [
      { containerPort: 0 },
      { containerPort: 70000, name: "80" },
      { containerPort: 1, name: "a-name-that-is-too-long" },
      { containerPort: 2, name: "x", protocol: "ICMP" },
      { containerPort: 3, name: "x", hostPort: -1 },
    ],
  });
});

conformance("two containers cannot have one port of the host", async (t) => {
  const ports = [{ containerPort: 80, hostPort: 80 }];
  isInvalid(
    await createPod(t, { containers: [container({ ports }), container({ name: "d", ports })] }),
    "spec.containers[1].ports[0].hostPort",
  );
});

conformance("a variable has one source", async (t) => {
  const fieldRef = { fieldPath: "metadata.name" };
  await createContainer(t, {
    env: [
      { name: "a=b" },
      { name: "both", value: "x", valueFrom: { fieldRef } },
      { name: "none", valueFrom: {} },
      { name: "two", valueFrom: { fieldRef, secretKeyRef: { name: "s", key: "k" } } },
      { name: "key", valueFrom: { configMapKeyRef: { name: "S", key: "a b" } } },
    ],
  });
});

conformance("fields of a pod that a variable may name", async (t) => {
  const variable = (name: string, fieldPath: string): Some => ({
    name,
    valueFrom: { fieldRef: { fieldPath } },
  });
  await createContainer(t, {
    env: [
      variable("label", "metadata.labels['a']"),
      variable("labels", "metadata.labels"),
      variable("wrong-key", "metadata.labels['a b']"),
      variable("unknown", "spec.containers"),
      variable("subscript", "spec.nodeName['x']"),
    ],
  });
});

conformance("resources of a container that a variable may name", async (t) => {
  const variable = (name: string, resourceFieldRef: Some): Some => ({
    name,
    valueFrom: { resourceFieldRef },
  });
  await createContainer(t, {
    env: [
      variable("cpu", { resource: "limits.cpu", divisor: "1m" }),
      variable("divisor", { resource: "limits.memory", divisor: "2" }),
      variable("unknown", { resource: "limits.gpu" }),
    ],
  });
});

conformance("a mount needs a volume and a path of its own", async (t) => {
  await createPod(t, {
    volumes: [{ name: "v" }],
    containers: [
      container({
        volumeMounts: [
          { name: "v", mountPath: "/a" },
          { name: "v", mountPath: "/a" },
          { name: "none", mountPath: "/b" },
          { name: "v", mountPath: "/c", subPath: "../x" },
          { name: "v", mountPath: "/d", mountPropagation: "Bidirectional" },
        ],
      }),
    ],
  });
});

conformance("a volume has one source", async (t) => {
  await createPod(t, {
    volumes: [
      { name: "a", emptyDir: {}, hostPath: { path: "/x" } },
      { name: "b", hostPath: { path: "/../x", type: "Nothing" } },
      { name: "b", secret: {} },
      { name: "c", configMap: { name: "a", defaultMode: 1000, items: [{ key: "", path: "/x" }] } },
      { name: "d", persistentVolumeClaim: { claimName: "" } },
    ],
  });
});

conformance("a projected volume's paths do not collide", async (t) => {
  const items = [{ key: "a", path: "x" }];
  await createPod(t, {
    volumes: [{
      name: "a",
      projected: {
        sources: [
          { configMap: { name: "a", items } },
          { secret: { name: "b", items } },
          { serviceAccountToken: { path: "t", expirationSeconds: 1 } },
        ],
      },
    }],
  });
});

conformance("an ephemeral volume's claim is checked", async (t) => {
  await createPod(t, {
    volumes: [{
      name: "a",
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { name: "x" },
          spec: { accessModes: ["Often"], resources: { requests: { storage: "0" } } },
        },
      },
    }],
  });
});

conformance("a probe asks in one way", async (t) => {
  await createContainer(t, {
    livenessProbe: { exec: { command: [] }, tcpSocket: { port: 1 }, successThreshold: 2 },
    readinessProbe: { periodSeconds: -1, terminationGracePeriodSeconds: 1 },
    startupProbe: { httpGet: { port: "no port", scheme: "FTP" } },
    lifecycle: { preStop: { sleep: { seconds: 60 } } },
  });
});

conformance("resources are known, and requests are not above limits", async (t) => {
  const limit = (limits: Some, requests?: Some) =>
    createContainer(t, { resources: { limits, ...requests && { requests } } });
  assert.equal((await limit({ cpu: "1" }, { cpu: "2" })).code, 422);
  assert.equal((await limit({ "example.com/gpu": "1" }, { "example.com/gpu": "2" })).code, 422);
  assert.equal((await limit({ "example.com/gpu": "1500m" })).code, 422);
  assert.equal((await limit({ gpu: "1" })).code, 422);
  assert.equal((await limit({ "hugepages-2Mi": "3Mi" })).code, 422);
  const requests = { "example.com/gpu": "1" };
  assert.equal((await createContainer(t, { resources: { requests } })).code, 422);
});

conformance("a negative quantity", async (t) => {
  isInvalid(
    await createContainer(t, { resources: { limits: { memory: "-1" } } }),
    "spec.containers[0].resources.limits[memory]",
    "spec.containers[0].resources.requests[memory]",
  );
});

conformance("tolerations make sense", async (t) => {
  await createPod(t, {
    tolerations: [
      { operator: "Equal", value: "x" },
      { key: "a", operator: "Exists", value: "x" },
      { key: "b", operator: "Like" },
      { key: "c", operator: "Exists", effect: "Never" },
      { key: "d", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 1 },
    ],
  });
});

conformance("affinity makes sense", async (t) => {
  const expressions = [{ key: "a", operator: "In" }, { key: "b c", operator: "Like" }];
  await createPod(t, {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: expressions }],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {}, topologyKey: "" }],
      },
    },
  });
});

conformance("topology spread constraints make sense", async (t) => {
  const constraint = { topologyKey: "zone", labelSelector: {} };
  await createPod(t, {
    topologySpreadConstraints: [
      { ...constraint, maxSkew: 0, whenUnsatisfiable: "DoNotSchedule" },
      { ...constraint, maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" },
      { maxSkew: 1, topologyKey: "", whenUnsatisfiable: "Never", minDomains: 0 },
    ],
  });
});

conformance("security contexts make sense", async (t) => {
  await createPod(t, {
    securityContext: {
      runAsUser: -1,
      fsGroupChangePolicy: "Never",
      sysctls: [{ name: "a b", value: "1" }],
      seccompProfile: { type: "Localhost" },
    },
    containers: [
      container({
        securityContext: {
          privileged: true,
          allowPrivilegeEscalation: false,
          procMount: "Unmasked",
          appArmorProfile: { type: "Localhost", localhostProfile: " x" },
        },
      }),
    ],
  });
});

conformance("a pod of a policy of its own DNS says which", async (t) => {
  isInvalid(await createPod(t, { dnsPolicy: "None" }), "spec.dnsConfig");
});

conformance("names in a pod's spec are checked", async (t) => {
  await createPod(t, {
    hostname: "A",
    subdomain: "a.b",
    nodeName: "A_B",
    serviceAccountName: "-",
    activeDeadlineSeconds: 0,
    hostAliases: [{ ip: "010.0.0.1", hostnames: ["a_b"] }],
    readinessGates: [{ conditionType: "" }],
  });
});

conformance("a pod for Windows cannot have what Linux has", async (t) => {
  const securityContext = { seLinuxOptions: { level: "s0" }, runAsUser: 1 };
  await createPod(t, { os: { name: "windows" }, hostPID: true, securityContext });
});

conformance("ephemeral containers are not for creation", async (t) => {
  const ephemeralContainers = [container({ name: "debug" })];
  isInvalid(await createPod(t, { ephemeralContainers }), "spec.ephemeralContainers");
});

conformance("a name that is no DNS label is warned of", async (t) => {
  assert.equal((await createPod(t, {}, { name: "a.b" })).code, 201);
});

conformance("what may surprise is warned of", async (t) => {
  const { code } = await createPod(t, {
    nodeSelector: { "beta.kubernetes.io/os": "linux" },
    imagePullSecrets: [{ name: "a" }, { name: "a" }, {}],
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" },
    ],
    containers: [
      container({
        env: [{ name: "A", value: "1" }, { name: "A", value: "2" }, { name: "A", value: "$(A)3" }],
        ports: [{ containerPort: 80 }, { containerPort: 80, name: "x", hostPort: 80 }],
        resources: { limits: { memory: "100m" } },
      }),
      container({ name: "d", ports: [{ containerPort: 80 }, { containerPort: 81, name: "x" }] }),
    ],
    volumes: [{
      name: "v",
      configMap: { name: "a", items: [{ key: "a", path: "x" }, { key: "b", path: "x/y" }] },
    }],
  }, {
    annotations: {
      "scheduler.alpha.kubernetes.io/critical-pod": "",
      "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
    },
  });
  assert.equal(code, 201);
});

conformance("the image of a running pod may change", async (t) => {
  await createPod(t);
  const path = t.path("pods/p");
  const { body } = await t.patch("strategic", path, {
    spec: { containers: [container({ image: "nginx:2" })] },
  });
  assert.equal(body.metadata.generation, 2);
});

conformance("most of a pod cannot change, and the answer shows the difference", async (t) => {
  await createPod(t);
  isInvalid(
    await merge(t, t.path("pods/p"), { spec: { hostname: "x", terminationGracePeriodSeconds: 5 } }),
    "spec",
  );
});

conformance("a container cannot be added to a pod", async (t) => {
  await createPod(t);
  const containers = [container(), container({ name: "d" })];
  isInvalid(await merge(t, t.path("pods/p"), { spec: { containers } }), "spec.containers");
});

conformance("the difference of lists and maps in a pod", async (t) => {
  await createContainer(t, { env: [{ name: "A", value: "1" }], args: ["a", "b", "c"] });
  isInvalid(
    await t.patch("strategic", t.path("pods/p"), {
      metadata: { labels: { a: "b" } },
      spec: {
        nodeSelector: { a: "b" },
        containers: [{ name: "c", env: [{ name: "B", value: "2" }], args: ["a", "c"] }],
      },
    }),
    "spec",
  );
});

conformance("a deadline may be set and shortened, not lengthened or removed", async (t) => {
  await createPod(t);
  const set = (activeDeadlineSeconds: number | null) =>
    merge(t, t.path("pods/p"), { spec: { activeDeadlineSeconds } });
  assert.equal((await set(10)).code, 200);
  assert.equal((await set(5)).code, 200);
  assert.equal((await set(6)).code, 422);
  assert.equal((await set(null)).code, 422);
  assert.equal((await set(-1)).code, 422);
});

conformance("a toleration may be added, an old one not changed", async (t) => {
  await createPod(t, { tolerations: [{ key: "a", operator: "Exists" }] });
  const { body } = await t.get(t.path("pods/p"), { unrecorded: true });
  const set = (tolerations: Some[]) => merge(t, t.path("pods/p"), { spec: { tolerations } });
  const added = { key: "b", operator: "Exists", effect: "NoSchedule" };
  assert.equal((await set([...body.spec.tolerations, added])).code, 200);
  isInvalid(await set([added]), "spec.tolerations");
});

conformance("scheduling gates may be removed, not added", async (t) => {
  await createPod(t, { schedulingGates: [{ name: "a.io/x" }, { name: "a.io/y" }] });
  const set = (...names: string[]) =>
    merge(t, t.path("pods/p"), { spec: { schedulingGates: names.map((name) => ({ name })) } });
  assert.equal((await set("a.io/x", "a.io/z")).code, 422);
  assert.equal((await set("a.io/x")).code, 200);
});

conformance("a gated pod's node selector may be narrowed", async (t) => {
  await createPod(t, { schedulingGates: [{ name: "a.io/x" }], nodeSelector: { a: "b" } });
  const set = (nodeSelector: Some) => merge(t, t.path("pods/p"), { spec: { nodeSelector } });
  assert.equal((await set({ c: "d" })).code, 200);
  assert.equal((await set({ a: "x" })).code, 422);
});

conformance("annotations of AppArmor and of mirror pods stay as they are", async (t) => {
  await createPod(t);
  const annotate = (name: string, value: string) =>
    merge(t, t.path("pods/p"), { metadata: { annotations: { [name]: value } } });
  assert.equal((await annotate("kubernetes.io/config.mirror", "x")).code, 422);
  const appArmor = "container.apparmor.security.beta.kubernetes.io/c";
  assert.equal((await annotate(appArmor, "unconfined")).code, 422);
});

conformance("a status is written by itself", async (t) => {
  await createPod(t);
  const { body } = await merge(t, t.path("pods/p/status"), {
    metadata: { labels: { a: "b" } },
    spec: { hostname: "x" },
    status: {
      phase: "Running",
      podIP: "10.1.1.1",
      hostIP: "10.2.2.2",
      conditions: [{ type: "Ready", status: "True" }],
      containerStatuses: [{ name: "c", image: "i", imageID: "i", ready: true, restartCount: 0 }],
    },
  });
  assert.deepEqual(body.status.podIPs, [{ ip: "10.1.1.1" }]);
  assert.equal(body.spec.hostname, undefined);
});

conformance("a status is checked", async (t) => {
  await createPod(t);
  await merge(t, t.path("pods/p/status"), {
    status: {
      qosClass: "Guaranteed",
      podIPs: [{ ip: "x" }, { ip: "10.0.0.1" }],
      conditions: [{ type: "a b", status: "True" }],
      nominatedNodeName: "A_B",
    },
  });
});

conformance("a container that ended does not run again where none is restarted", async (t) => {
  await createPod(t, { restartPolicy: "Never" });
  const set = (state: Some) =>
    merge(t, t.path("pods/p/status"), {
      status: {
        containerStatuses: [
          { name: "c", image: "i", imageID: "i", ready: false, restartCount: 0, state },
        ],
      },
    });
  assert.equal((await set({ terminated: { exitCode: 0 } })).code, 200);
  isInvalid(await set({ running: {} }), "status.containerStatuses[0].state");
});

conformance("a status tells the health of devices that a container asked for", async (t) => {
  await createContainer(t, { resources: { limits: { "example.com/gpu": "1" } } });
  const set = (name: string, health: string) =>
    merge(t, t.path("pods/p/status"), {
      status: {
        containerStatuses: [{
          name: "c",
          image: "i",
          imageID: "i",
          ready: true,
          restartCount: 0,
          allocatedResourcesStatus: [{ name, resources: [{ resourceID: "a", health }] }],
        }],
      },
    });
  assert.equal((await set("example.com/gpu", "Healthy")).code, 200);
  assert.equal((await set("example.com/fpga", "Tired")).code, 422);
});

conformance("an ephemeral container joins a pod, and stays", async (t) => {
  await createPod(t);
  const path = t.path("pods/p/ephemeralcontainers");
  const set = (...ephemeralContainers: Some[]) => merge(t, path, { spec: { ephemeralContainers } });
  const { code, body } = await set(container({ name: "debug", targetContainerName: "c" }));
  assert.equal(code, 200);
  assert.equal(body.metadata.generation, 2);
  assert.equal((await set()).code, 422);
  const other = container({ name: "debug", targetContainerName: "c", image: "x" });
  assert.equal((await set(other)).code, 422);
});

conformance("an ephemeral container has neither ports nor probes", async (t) => {
  await createPod(t);
  const wrong = container({
    name: "c",
    targetContainerName: "none",
    ports: [{ containerPort: 80 }],
    livenessProbe: { exec: { command: ["x"] } },
    resources: { limits: { cpu: "1" } },
  });
  const path = t.path("pods/p/ephemeralcontainers");
  assert.equal((await merge(t, path, { spec: { ephemeralContainers: [wrong] } })).code, 422);
});

conformance("the other subresources of a pod leave its spec alone", async (t) => {
  await createPod(t);
  const path = t.path("pods/p/ephemeralcontainers");
  const { body } = await merge(t, path, {
    metadata: { labels: { a: "b" } },
    spec: { hostname: "x" },
  });
  assert.equal(body.metadata.labels, undefined);
});

conformance("resources are resized in place", async (t) => {
  await createContainer(t, { resources: { requests: { cpu: "1", memory: "1Gi" } } });
  const { code, body } = await t.patch("strategic", t.path("pods/p/resize"), {
    spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" } } }] },
  });
  assert.equal(code, 200);
  assert.equal(body.spec.containers[0].resources.requests.cpu, "2");
});

conformance("a resize neither removes requests nor changes the class", async (t) => {
  await createContainer(t, { resources: { requests: { cpu: "1" } } });
  const path = t.path("pods/p/resize");
  const resize = (resources: Some) =>
    merge(t, path, { spec: { containers: [container({ resources })] } });
  assert.equal((await resize({})).code, 422);
  assert.equal((await resize({ requests: { cpu: "1", "ephemeral-storage": "1Gi" } })).code, 422);
  const limits = { cpu: "1", memory: "1Gi" };
  assert.equal((await resize({ requests: limits, limits })).code, 422);
});

conformance("a resize cannot rename a container", async (t) => {
  await createPod(t);
  const containers = [container({ name: "d" })];
  isInvalid(
    await merge(t, t.path("pods/p/resize"), { spec: { containers } }),
    "spec.containers[0].name",
  );
});

conformance("fields of pods that select", async (t) => {
  await createPod(t);
  await createPod(t, { nodeName: "n", hostNetwork: true, restartPolicy: "Never" }, { name: "q" });
  const named = async (selector: string): Promise<string[]> => {
    const query = new URLSearchParams({ fieldSelector: selector });
    const { body } = await t.get(t.path(`pods?${query}`), { unrecorded: true });
    return body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
  };
  assert.deepEqual(await named("spec.nodeName=n"), ["q"]);
  assert.deepEqual(await named("spec.nodeName="), ["p"]);
  assert.deepEqual(await named("spec.hostNetwork=true,status.phase=Pending"), ["q"]);
  assert.deepEqual(await named("spec.restartPolicy!=Never"), ["p"]);
  await t.get(t.path("pods?fieldSelector=spec.hostname%3Dx"));
});

conformance("a pod that no node has goes at once", async (t) => {
  await createPod(t);
  assert.equal((await t.delete(t.path("pods/p"))).code, 200);
  assert.equal((await t.get(t.path("pods/p"))).code, 404);
});

conformance("a pod on a node is given time", async (t) => {
  await createPod(t, { nodeName: "n" });
  const { body } = await t.delete(t.path("pods/p"));
  assert.equal(body.metadata.deletionGracePeriodSeconds, 30);
  await t.delete(t.path("pods/p"), { gracePeriodSeconds: 5 });
  await t.delete(t.path("pods/p"), { gracePeriodSeconds: 10 });
  await t.get(t.path("pods/p"));
  await t.delete(t.path("pods/p"), { gracePeriodSeconds: 0 });
  assert.equal((await t.get(t.path("pods/p"))).code, 404);
});

conformance("a pod that is over goes at once though a node has it", async (t) => {
  await createPod(t, { nodeName: "n" });
  await merge(t, t.path("pods/p/status"), { status: { phase: "Succeeded" } });
  await t.delete(t.path("pods/p"));
  assert.equal((await t.get(t.path("pods/p"))).code, 404);
});

conformance("a part of a pod leaves its metadata alone", async (t) => {
  await createPod(t);
  for (const part of ["resize", "ephemeralcontainers"]) {
    const { code } = await merge(t, t.path(`pods/p/${part}`), {
      metadata: { labels: { bad: "10%" }, finalizers: ["plain"] },
    });
    assert.equal(code, 200);
  }
});
