import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";
import { container, pod, SELECTOR, type Some, template } from "../kinds/workload_fixtures.ts";

const conformance = conformanceSuite(import.meta.url);

const PREFIX = "pod-security.kubernetes.io/";

/** The security context that the restricted standard requires of a container. */
const RESTRICTED = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

function labelsOf(modes: Some): Some {
  return Object.fromEntries(Object.entries(modes).map(([mode, value]) => [PREFIX + mode, value]));
}

/** A namespace with labels, and a way to make objects in it. */
class Labelled {
  readonly name: string;
  readonly #t: Target;

  constructor(t: Target, name: string) {
    this.#t = t;
    this.name = name;
  }

  /** `modes` are labels without their prefix. */
  static async create(t: Target, modes: Some, placeholder = "labelled"): Promise<Labelled> {
    const name = t.unique(placeholder);
    const metadata = { name, labels: labelsOf(modes) };
    await t.post("/api/v1/namespaces", { metadata }, { unrecorded: true });
    return new Labelled(t, name);
  }

  path(rest: string, root = "/api/v1"): string {
    return `${root}/namespaces/${this.name}/${rest}`;
  }

  /** Would such a pod be created? */
  pod(spec: Some, metadata?: Some): Promise<Answer> {
    return this.#t.post(this.path("pods?dryRun=All"), pod(spec, metadata));
  }

  /** Would pods of one such container be created? */
  container(more: Some): Promise<Answer> {
    return this.pod({ containers: [container(more)] });
  }

  async refuses(...specs: Some[]): Promise<void> {
    for (const spec of specs) {
      const { code, body } = await this.pod(spec);
      assert.equal(code, 403, JSON.stringify(body));
    }
  }

  async refusesContexts(...contexts: Some[]): Promise<void> {
    for (const securityContext of contexts) {
      const { code, body } = await this.container({ securityContext });
      assert.equal(code, 403, JSON.stringify(body));
    }
  }
}

function baseline(t: Target): Promise<Labelled> {
  return Labelled.create(t, { enforce: "baseline" });
}

/** The words of the refusal, or of the warning. */
function words({ body }: Answer): string {
  return body.message ?? "";
}

conformance("baseline refuses what is of the node", async (t) => {
  const place = await baseline(t);
  await place.refuses(
    { hostNetwork: true, hostPID: true, hostIPC: true },
    { hostIPC: true },
    { volumes: [{ name: "a", hostPath: { path: "/" } }] },
    {
      volumes: [
        { name: "a", hostPath: { path: "/a" } },
        { name: "b", emptyDir: {} },
        { name: "c", hostPath: { path: "/c" } },
      ],
    },
    { containers: [container({ ports: [{ containerPort: 1, hostPort: 80 }] })] },
    {
      containers: [
        container({ ports: [{ containerPort: 1, hostPort: 9 }, { containerPort: 2 }] }),
        container({ name: "d", ports: [{ containerPort: 3, hostPort: 80 }] }),
        container({ name: "e", ports: [{ containerPort: 3 }] }),
      ],
    },
  );
});

conformance("baseline refuses probes and hooks of other hosts", async (t) => {
  const place = await baseline(t);
  const get = { httpGet: { port: 1, host: "a.example" } };
  await place.refuses(
    { containers: [container({ livenessProbe: get })] },
    {
      containers: [
        container({
          name: "z",
          readinessProbe: { tcpSocket: { port: 1, host: "10.0.0.1" } },
          lifecycle: { postStart: get, preStop: { tcpSocket: { port: 1, host: "b" } } },
        }),
        container({ name: "c", startupProbe: get }),
      ],
    },
  );
  const own = await place.container({ livenessProbe: { httpGet: { port: 1 } } });
  assert.equal(own.code, 201);
});

conformance("baseline refuses privileges and capabilities", async (t) => {
  const place = await baseline(t);
  await place.refusesContexts(
    { privileged: true },
    { capabilities: { add: ["SYS_ADMIN", "CHOWN", "NET_RAW"] } },
    { capabilities: { add: ["NET_BIND_SERVICE", "chown"], drop: ["ALL"] } },
  );
  await place.refuses({
    initContainers: [container({ name: "i", securityContext: { privileged: true } })],
    containers: [
      container({ securityContext: { privileged: true, capabilities: { add: ["BPF"] } } }),
      container({ name: "d", securityContext: { capabilities: { add: ["ALL"] } } }),
    ],
  });
});

conformance("baseline refuses an unmasked /proc, but in a user namespace", async (t) => {
  const place = await baseline(t);
  const securityContext = { procMount: "Unmasked" };
  const spec = { hostUsers: false, containers: [container({ securityContext })] };
  assert.equal((await place.pod(spec)).code, 201);
  const older = await Labelled.create(t, { enforce: "baseline", "enforce-version": "v1.34" }, "b");
  await older.refuses(spec);
  const strict = await Labelled.create(t, { enforce: "restricted" }, "c");
  await strict.refuses(spec);
});

conformance("baseline refuses profiles of AppArmor", async (t) => {
  const place = await baseline(t);
  const unconfined = { appArmorProfile: { type: "Unconfined" } };
  const key = "container.apparmor.security.beta.kubernetes.io/";
  await place.refuses(
    { securityContext: unconfined },
    { containers: [container({ securityContext: unconfined })] },
    {
      securityContext: unconfined,
      containers: [
        container({ securityContext: unconfined }),
        container({ name: "d", securityContext: unconfined }),
        container({ name: "e", securityContext: { appArmorProfile: { type: "RuntimeDefault" } } }),
      ],
    },
  );
  const annotations = { [`${key}c`]: "unconfined", [`${key}d`]: "localhost/x" };
  const containers = [container(), container({ name: "d" })];
  assert.equal((await place.pod({ containers }, { annotations })).code, 403);
});

conformance("baseline refuses profiles of seccomp", async (t) => {
  const place = await baseline(t);
  const unconfined = { seccompProfile: { type: "Unconfined" } };
  await place.refuses(
    { securityContext: unconfined },
    {
      securityContext: unconfined,
      containers: [container({ securityContext: unconfined }), container({ name: "d" })],
    },
  );
  await place.refusesContexts(unconfined);
});

conformance("before 1.19 seccomp is looked at in annotations", async (t) => {
  const modes = { enforce: "baseline", "enforce-version": "v1.18" };
  const place = await Labelled.create(t, modes);
  const pods = "seccomp.security.alpha.kubernetes.io/pod";
  const key = "container.seccomp.security.alpha.kubernetes.io/";
  const deployment = (annotations: Some): Some => ({
    metadata: { name: "d" },
    spec: {
      selector: SELECTOR,
      template: { metadata: { labels: { app: "web" }, annotations }, spec: pod()["spec"] },
    },
  });
  for (
    const annotations of [
      { [pods]: "unconfined" },
      { [pods]: "docker/default", [`${key}c`]: 'a"b', [`${key}none`]: "x" },
      { [pods]: "x", [`${key}c`]: "y" },
    ]
  ) {
    const path = place.path("deployments?dryRun=All", "/apis/apps/v1");
    await t.post(path, deployment(annotations));
  }
});

conformance("baseline refuses options of SELinux", async (t) => {
  const place = await baseline(t);
  const options = (seLinuxOptions: Some): Some => ({ seLinuxOptions });
  await place.refusesContexts(options({ type: "spc_t" }), options({ user: "u" }));
  await place.refuses({
    securityContext: options({ type: "b", role: "r", user: "" }),
    containers: [
      container({ securityContext: options({ type: "a", user: "u" }) }),
      container({ name: "d", securityContext: options({ type: "container_t" }) }),
    ],
  });
  const engine = options({ type: "container_engine_t" });
  assert.equal((await place.container({ securityContext: engine })).code, 201);
  const modes = { enforce: "baseline", "enforce-version": "v1.30" };
  const older = await Labelled.create(t, modes, "b");
  await older.refusesContexts(engine);
});

conformance("baseline refuses parameters of the kernel by version", async (t) => {
  const names = [
    "kernel.shm_rmid_forced",
    "kernel.msgmax",
    "net.ipv4.ip_local_reserved_ports",
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_slow_start_after_idle",
    "net.ipv4.tcp_notsent_lowat",
  ];
  const spec = { securityContext: { sysctls: names.map((name) => ({ name, value: "1" })) } };
  for (const version of ["v1.0", "v1.26", "v1.27", "v1.29", "v1.32", "v1.37", "latest", "v1.999"]) {
    const modes = { enforce: "baseline", "enforce-version": version };
    const place = await Labelled.create(t, modes, version.replace(".", "-"));
    await place.refuses(spec);
  }
});

conformance("baseline refuses processes of the node on Windows", async (t) => {
  const place = await baseline(t);
  const securityContext = { windowsOptions: { hostProcess: true } };
  const common = { os: { name: "windows" }, hostNetwork: true };
  await place.refuses(
    { ...common, securityContext },
    { ...common, securityContext, containers: [container({ securityContext })] },
  );
});

conformance("restricted refuses a pod that says nothing", async (t) => {
  const place = await Labelled.create(t, { enforce: "restricted" });
  await place.refuses({}, {
    initContainers: [container({ name: "i", securityContext: RESTRICTED })],
    containers: [
      container({ securityContext: { ...RESTRICTED, allowPrivilegeEscalation: true } }),
      container({ name: "d", securityContext: { ...RESTRICTED, capabilities: {} } }),
      container({ name: "e", securityContext: { capabilities: { drop: ["NET_RAW"] } } }),
    ],
  });
  const { code } = await place.container({ securityContext: RESTRICTED });
  assert.equal(code, 201);
});

conformance("restricted lets the pod say what its containers do not", async (t) => {
  const place = await Labelled.create(t, { enforce: "restricted" });
  const { runAsNonRoot, seccompProfile, ...own } = RESTRICTED;
  const containers = [container({ securityContext: own })];
  const said = { securityContext: { runAsNonRoot, seccompProfile }, containers };
  assert.equal((await place.pod(said)).code, 201);
  const unconfined = { type: "Unconfined" };
  await place.refuses(
    { securityContext: { runAsNonRoot: false, seccompProfile: unconfined }, containers },
    {
      securityContext: { runAsNonRoot, seccompProfile },
      containers: [
        container({ securityContext: { ...own, runAsNonRoot: false } }),
        container({ name: "d", securityContext: { ...own, seccompProfile: unconfined } }),
      ],
    },
    {
      securityContext: { runAsNonRoot: false },
      containers: [container({ securityContext: { ...RESTRICTED, runAsNonRoot: false } })],
    },
  );
});

conformance("restricted refuses capabilities, root and volumes", async (t) => {
  const place = await Labelled.create(t, { enforce: "restricted" });
  const containers = [container({ securityContext: RESTRICTED })];
  const drop = ["ALL"];
  await place.refusesContexts(
    { ...RESTRICTED, capabilities: { drop, add: ["NET_BIND_SERVICE", "CHOWN", "BPF"] } },
    { ...RESTRICTED, capabilities: { drop: ["KILL"], add: ["CHOWN"] } },
    { ...RESTRICTED, runAsUser: 0 },
  );
  await place.refuses(
    { securityContext: { runAsUser: 0 }, containers },
    { volumes: [{ name: "a", hostPath: { path: "/" } }], containers },
    {
      volumes: [
        { name: "a", nfs: { server: "s", path: "/" } },
        { name: "b", configMap: { name: "b" } },
        { name: "c", iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:x", lun: 0 } },
        { name: "d", nfs: { server: "s", path: "/d" } },
      ],
      containers,
    },
  );
});

conformance("restricted lets a pod in a user namespace be root", async (t) => {
  const place = await Labelled.create(t, { enforce: "restricted" });
  const securityContext = { ...RESTRICTED, runAsNonRoot: false, runAsUser: 0 };
  const spec = { hostUsers: false, containers: [container({ securityContext })] };
  assert.equal((await place.pod(spec)).code, 201);
  const modes = { enforce: "restricted", "enforce-version": "v1.34" };
  await (await Labelled.create(t, modes, "b")).refuses(spec);
});

conformance("restricted asks less of pods for Windows", async (t) => {
  const place = await Labelled.create(t, { enforce: "restricted" });
  const spec = { os: { name: "windows" }, securityContext: { runAsNonRoot: true } };
  assert.equal((await place.pod(spec)).code, 201);
  const modes = { enforce: "restricted", "enforce-version": "v1.24" };
  await (await Labelled.create(t, modes, "b")).refuses(spec);
});

conformance("restricted asked less in earlier releases", async (t) => {
  for (const minor of [0, 7, 8, 18, 19, 21, 22, 23, 33, 35, 36]) {
    const modes = { enforce: "restricted", "enforce-version": `v1.${minor}` };
    const place = await Labelled.create(t, modes, `v1-${minor}`);
    await place.refuses({
      volumes: [{ name: "a", hostPath: { path: "/" } }],
      containers: [container({
        securityContext: {
          runAsUser: 0,
          capabilities: { add: ["BPF"] },
          procMount: "Unmasked",
          seccompProfile: { type: "Unconfined" },
        },
        livenessProbe: { httpGet: { port: 1, host: "a" } },
      })],
      hostUsers: false,
    });
  }
});

conformance("what would be refused is warned of", async (t) => {
  const modes = { enforce: "privileged", warn: "restricted", "warn-version": "v1.30" };
  const place = await Labelled.create(t, modes);
  const { code, headers } = await place.pod({});
  assert.equal(code, 201);
  assert.match(headers.get("warning") ?? "", /would violate PodSecurity/);
  const both = await Labelled.create(t, { enforce: "baseline", warn: "restricted" }, "b");
  await both.pod({});
  await both.refuses({ hostPID: true });
});

conformance("labels of audit change nothing that can be seen", async (t) => {
  const place = await Labelled.create(t, { audit: "restricted" });
  const { headers } = await place.pod({ hostPID: true });
  assert.equal(headers.get("warning"), null);
});

conformance("who enforces a standard is warned of templates that break it", async (t) => {
  const place = await Labelled.create(t, { enforce: "baseline", "enforce-version": "v1.35" });
  const apps = "/apis/apps/v1";
  const spec = { selector: SELECTOR, template: template({ hostPID: true }) };
  const job = { template: template({ hostPID: true, restartPolicy: "Never" }) };
  const made: [string, string, Some][] = [
    ["deployments", apps, { spec }],
    ["replicasets", apps, { spec }],
    ["statefulsets", apps, { spec: { ...spec, serviceName: "s" } }],
    ["daemonsets", apps, { spec }],
    ["replicationcontrollers", "/api/v1", { spec: { template: spec.template } }],
    ["podtemplates", "/api/v1", { template: spec.template }],
    ["jobs", "/apis/batch/v1", { spec: job }],
    ["cronjobs", "/apis/batch/v1", { spec: { schedule: "@daily", jobTemplate: { spec: job } } }],
  ];
  for (const [resource, root, object] of made) {
    const path = place.path(`${resource}?dryRun=All`, root);
    const { code, headers } = await t.post(path, { metadata: { name: "a" }, ...object });
    assert.equal(code, 201);
    assert.match(headers.get("warning") ?? "", /host namespaces/);
  }
});

conformance("a template is looked at when it is written, not when it is scaled", async (t) => {
  const place = await Labelled.create(t, { warn: "baseline" });
  const spec = { replicas: 1, selector: SELECTOR, template: template({ hostPID: true }) };
  const path = place.path("deployments", "/apis/apps/v1");
  await t.post(path, { metadata: { name: "a" }, spec });
  const merged = await t.patch("merge", `${path}/a`, { metadata: { labels: { a: "b" } } });
  assert.match(merged.headers.get("warning") ?? "", /host namespaces/);
  const scaled = await t.patch("merge", `${path}/a/scale`, { spec: { replicas: 2 } });
  assert.equal(scaled.headers.get("warning"), null);
  const status = await t.patch("merge", `${path}/a/status`, { status: { replicas: 1 } });
  assert.equal(status.headers.get("warning"), null);
});

conformance("an applied pod is refused too, and one with a generated name", async (t) => {
  const place = await baseline(t);
  const applied = await t.patch("apply", place.path("pods/p?fieldManager=me"), {
    apiVersion: "v1",
    kind: "Pod",
    ...pod({ hostPID: true }),
  });
  assert.equal(applied.code, 403);
  const metadata = { generateName: "some-" };
  t.mask(/some-[a-z0-9]{5}/, "<generated>");
  const { spec } = pod({ hostPID: true });
  const { code } = await t.post(place.path("pods"), { metadata, spec });
  assert.equal(code, 403);
});

conformance("an update is looked at when it changes an image", async (t) => {
  const place = await Labelled.create(t, { warn: "baseline" });
  await t.post(place.path("pods"), pod({ hostPID: true }));
  const path = place.path("pods/p");
  const labelled = await t.patch("merge", path, { metadata: { labels: { a: "b" } } });
  assert.equal(labelled.headers.get("warning"), null);
  const [changed] = [container({ image: "nginx:2" })];
  const updated = await t.patch("strategic", path, { spec: { containers: [changed] } });
  assert.match(updated.headers.get("warning") ?? "", /host namespaces/);
  const status = await t.patch("merge", `${path}/status`, { status: { phase: "Running" } });
  assert.equal(status.headers.get("warning"), null);
});

conformance("an ephemeral container is held to the standard", async (t) => {
  const place = await baseline(t);
  await t.post(place.path("pods"), pod());
  const path = place.path("pods/p/ephemeralcontainers");
  const debug = (securityContext: Some): Some => ({
    spec: { ephemeralContainers: [{ name: "debug", image: "busybox", securityContext }] },
  });
  const refused = await t.patch("strategic", path, debug({ privileged: true }));
  assert.equal(refused.code, 403);
  const added = await t.patch("strategic", path, debug({ runAsUser: 1 }));
  assert.equal(added.code, 200);
});

conformance("a namespace with labels that cannot be read is refused", async (t) => {
  for (
    const modes of [
      { enforce: "strict" },
      { enforce: "", "enforce-version": "1.30", audit: "x", warn: "y", "warn-version": "v1.01" },
      { "audit-version": "v2.0" },
      { "enforce-version": "v1.99999999999999999999" },
    ]
  ) {
    const metadata = { name: t.unique("bad"), labels: labelsOf(modes) };
    const { code } = await t.post("/api/v1/namespaces", { metadata });
    assert.equal(code, 422);
  }
});

conformance("labels of a namespace stay readable", async (t) => {
  const place = await Labelled.create(t, { enforce: "baseline" });
  const path = `/api/v1/namespaces/${place.name}`;
  const bad = await t.patch("merge", path, { metadata: { labels: labelsOf({ warn: "?" }) } });
  assert.equal(bad.code, 422);
  const worse = await t.patch("merge", path, { metadata: { labels: labelsOf({ warn: "bad" }) } });
  assert.equal(worse.code, 422);
  const version = await t.patch("merge", path, {
    metadata: { labels: labelsOf({ "warn-version": "v1.3x" }) },
  });
  assert.equal(version.code, 422);
});

conformance("a stricter namespace is warned of the pods that it has", async (t) => {
  const place = await Labelled.create(t, { enforce: "privileged" });
  const owner = (name: string): Some => ({
    ownerReferences: [{
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      name,
      uid: name,
      controller: true,
    }],
  });
  const restricted = { containers: [container({ securityContext: RESTRICTED })] };
  const made: [string, Some, Some][] = [
    ["fine", restricted, {}],
    ["c", {}, owner("x")],
    ["b", {}, owner("x")],
    ["a", {}, owner("y")],
    ["host", { hostPID: true, hostNetwork: true }, {}],
    ["net-2", { ...restricted, hostNetwork: true }, {}],
    ["net-1", { ...restricted, hostNetwork: true }, {}],
  ];
  for (const [name, spec, metadata] of made) {
    await t.post(place.path("pods"), pod(spec, { name, ...metadata }), { unrecorded: true });
  }
  const path = `/api/v1/namespaces/${place.name}`;
  const label = (modes: Some, query = "", unrecorded = false): Promise<Answer> =>
    t.patch("merge", path + query, { metadata: { labels: labelsOf(modes) } }, { unrecorded });
  /** The next write must see this one: one that finds it was mistaken has warned already. */
  const labelAndWait = async (modes: Some): Promise<Answer> => {
    const answer = await label(modes);
    const { resourceVersion } = answer.body.metadata;
    await t.get(`${path}?resourceVersion=${resourceVersion}`, { unrecorded: true });
    return answer;
  };
  // It may be a moment until all of the pods are known.
  await until(async () => {
    const { headers } = await label({ enforce: "restricted" }, "?dryRun=All", true);
    const text = headers.get("warning") ?? "";
    return ["2 other pods", "host: ", "1 other pod)"].every((part) => text.includes(part));
  }, "that all pods are known");
  await labelAndWait({ enforce: "restricted" });
  const relaxed = await labelAndWait({ enforce: "baseline" });
  assert.equal(relaxed.headers.get("warning"), null);
  await labelAndWait({ "enforce-version": "v1.20" });
  await labelAndWait({ "enforce-version": "v1.20", warn: "restricted" });
  await labelAndWait({ enforce: "privileged" });
});

conformance("a pod that would be refused may not be there anyway", async (t) => {
  const place = await baseline(t);
  const invalid = await place.pod({ hostPID: true, restartPolicy: "?" });
  assert.equal(invalid.code, 422);
  const nowhere = await t.post(
    `/api/v1/namespaces/${t.unique("nowhere")}/pods`,
    pod({ hostPID: true }),
  );
  assert.equal(nowhere.code, 404);
  assert.match(words(nowhere), /not found/);
});
