import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { configMap, definition, deployment, pod, service } from "./kubectl_manifests.ts";
import { kubectlSuite, type Outcome } from "./kubectl_suite.ts";

const kubectl = kubectlSuite(import.meta.url);

const OUTPUTS = [
  "",
  "-o wide",
  "-o name",
  "-o yaml",
  "-o json",
  "-o jsonpath={.items[*].metadata.name}",
  "-o custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image",
  "-o go-template={{range.items}}{{.metadata.name}};{{end}}",
  "--show-labels",
  "--label-columns=app",
  "--no-headers",
  "--sort-by=.metadata.name",
  "--selector=app=a",
  "--selector=app!=a",
  "--field-selector=metadata.name=b",
  "--field-selector=status.phase=Pending",
  "--field-selector=odd=1",
  "--chunk-size=1",
  "--output-watch-events --watch-only --request-timeout=5s",
];
for (const output of OUTPUTS) {
  kubectl(`get pods ${output}`, async (k) => {
    await k.make(pod("a"), pod("b"));
    // What is served is known then: all of that may take longer than the shortest time-out.
    if (output.includes("timeout")) await k.run("get pods", { unrecorded: true });
    await k.run(`get pods ${output}`.trim());
  });
}

for (const type of ["deploy", "deployments.apps", "deployment.v1.apps", "svc", "cm", "all"]) {
  kubectl(`get ${type}`, async (k) => {
    await k.make(deployment("web"), service("web"), configMap("a"));
    await k.run(`get ${type}`);
  });
}

kubectl("get of what is not there", async (k) => {
  await k.run("get pods");
  await k.run("get pod none");
  await k.run("get pod none --ignore-not-found");
  await k.run("get odds");
  await k.run("get pod/a svc/b");
});

kubectl("get --watch shows what changes", async (k) => {
  await k.make(configMap("a"));
  const seen = await k.runUntil(
    "get configmap a --watch -o name",
    "configmap/a\nconfigmap/a",
    () => k.run("label configmap a x=y", { unrecorded: true }),
  );
  assert.match(seen, /configmap\/a\nconfigmap\/a/);
});

const DESCRIBED: readonly (readonly [string, object])[] = [
  ["configmap/a", configMap("a")],
  ["pod/a", pod("a")],
  ["service/a", service("a")],
  ["deployment/a", deployment("a")],
  ["secret/a", { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { k: "dg==" } }],
  ["serviceaccount/a", { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" } }],
];
for (const [name, object] of DESCRIBED) {
  kubectl(`describe ${name.split("/")[0]}`, async (k) => {
    await k.make(object);
    await k.run(`describe ${name}`);
  });
}

kubectl("describe tells the events of an object", async (k) => {
  await k.make(pod("a"), {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e" },
    involvedObject: { apiVersion: "v1", kind: "Pod", name: "a", namespace: k.namespace },
    reason: "Started",
    message: "it started",
    type: "Normal",
    count: 1,
    source: { component: "kubelet" },
  });
  await k.run("describe pod a");
  await k.run("events");
  await k.run("get events");
});

kubectl("describe of what is not there", async (k) => {
  await k.run("describe pod none");
});

/** Returns the output of `kubectl explain` without descriptions. */
function isFieldLine(line: string): boolean {
  return /^\s{2,}\w+\t</.test(line) || /^(GROUP|KIND|VERSION|FIELDS?):/.test(line) ||
    /^error/.test(line);
}

for (
  const path of ["pod", "pod.spec.containers", "deployments.spec.strategy", "cm.data", "pod.odd"]
) {
  kubectl(`explain ${path}`, async (k) => {
    await k.run(`explain ${path}`, { keep: isFieldLine });
  });
}

kubectl("explain --recursive", async (k) => {
  await k.run("explain service.spec --recursive", { keep: isFieldLine });
});

kubectl("a custom resource is known: get, explain, describe, api-resources", async (k) => {
  const group = `${k.unique("g")}.example.com`;
  await k.run("create -f -", { stdin: JSON.stringify(definition(group)) });
  await k.run(`wait --for=condition=Established crd/gadgets.${group} --timeout=120s`);
  // kube-apiserver tells of it, and describes it, some time later.
  const listed = (): Promise<Outcome> =>
    k.run(`api-resources --api-group=${group}`, { unrecorded: true });
  await until(async () => (await listed()).stdout.includes("gadgets"), "that gadgets are listed");
  const explain = `explain gadgets.spec --api-version=${group}/v1`;
  await until(
    async () => (await k.run(explain, { unrecorded: true })).code === 0,
    "that gadgets are explained",
  );
  const gadget = {
    apiVersion: `${group}/v1`,
    kind: "Gadget",
    metadata: { name: "a" },
    spec: { size: 3 },
  };
  await k.run("apply -f -", { stdin: JSON.stringify(gadget) });
  await k.run(`get gadgets.${group}`);
  await k.run(`get gadgets.${group} a -o wide`);
  await k.run(`get gadgets.${group} a -o yaml`);
  await k.run(`describe gadgets.${group} a`);
  await k.run(explain);
  await k.run(`scale gadgets.${group}/a --replicas=5`);
  await k.run(`get gadgets.${group} a -o jsonpath={.spec}`);
  await k.run(`api-resources --api-group=${group}`);
  await k.run("apply -f -", { stdin: JSON.stringify({ ...gadget, spec: { size: "x" } }) });
  await k.run(`delete crd gadgets.${group}`);
  await until(async () => !(await listed()).stdout.includes("gadgets"), "that gadgets are gone");
  await k.run(`get gadgets.${group}`);
});

kubectl("api-resources of the groups that every cluster has", async (k) => {
  for (const group of ["", "apps", "batch", "coordination.k8s.io", "rbac.authorization.k8s.io"]) {
    await k.run(["api-resources", `--api-group=${group}`, "-o", "wide"]);
  }
  await k.run("api-resources --namespaced=false --api-group=apps");
});

kubectl("auth can-i answers by the rules", async (k) => {
  await k.run("create role reader --verb=get --resource=pods");
  await k.run(`create rolebinding read --role=reader --user=${k.unique("user")}`);
  const as = `--as=${k.unique("user")}`;
  await until(
    async () => (await k.run(`auth can-i get pods ${as}`, { unrecorded: true })).code === 0,
    "that the role is in force",
  );
  assert.equal((await k.run(`auth can-i get pods ${as}`)).code, 0);
  assert.equal((await k.run(`auth can-i delete pods ${as}`)).code, 1);
  assert.equal((await k.run("auth can-i delete pods")).code, 0);
  await k.run(`auth can-i --list ${as}`);
  await k.run(`get pods ${as}`);
  await k.run(`get secrets ${as}`);
  await k.run(`auth whoami ${as}`);
});

kubectl("get --raw", async (k) => {
  await k.run("get --raw /healthz");
  await k.run("get --raw /readyz");
  await k.run("get --raw /odd");
  await k.run(`get --raw /api/v1/namespaces/${k.namespace}/configmaps/none`);
});
