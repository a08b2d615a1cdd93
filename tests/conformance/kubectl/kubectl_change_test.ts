import assert from "node:assert/strict";
import { configMap, deployment, pod } from "./kubectl_manifests.ts";
import { kubectlSuite } from "./kubectl_suite.ts";

const kubectl = kubectlSuite(import.meta.url);

kubectl("label sets, overwrites and removes", async (k) => {
  await k.make(configMap("a"));
  await k.run("label configmap a x=1");
  assert.equal((await k.run("label configmap a x=2")).code, 1);
  await k.run("label configmap a x=2 --overwrite");
  await k.run("label configmap a x-");
  await k.run(["label", "configmap", "a", "not ok=1"]);
  await k.run("label configmaps --all y=1 -l kind=cm");
  await k.run("get configmap a -o jsonpath={.metadata.labels}");
});

kubectl("annotate sets and removes", async (k) => {
  await k.make(configMap("a"));
  await k.run("annotate configmap a x=1 y=2");
  await k.run("annotate configmap a x- y=3 --overwrite");
  await k.run("annotate configmap a --list");
});

kubectl("patch in each of its ways", async (k) => {
  await k.make(deployment("web"));
  await k.run(["patch", "deployment", "web", "-p", '{"spec":{"replicas":4}}']);
  await k.run(["patch", "deployment", "web", "--type=merge", "-p", '{"spec":{"paused":true}}']);
  await k.run([
    "patch",
    "deployment",
    "web",
    "--type=json",
    "-p",
    '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"x"}]',
  ]);
  await k.run(["patch", "deployment", "web", "-p", '{"spec":{"replicas":4}}']);
  await k.run(["patch", "deployment", "web", "-p", '{"spec":{"replicas":-1}}']);
  await k.run([
    "patch",
    "deployment",
    "web",
    "--subresource=status",
    "-p",
    '{"status":{"replicas":4}}',
  ]);
  await k.run("get deployment web -o yaml");
});

kubectl("edit sends what the editor leaves", async (k) => {
  await k.make(configMap("a", { a: "before" }));
  await k.run("edit configmap a", { env: { KUBE_EDITOR: "sed -i s/before/after/" } });
  await k.run("edit configmap a", { env: { KUBE_EDITOR: "true" } });
  await k.run("get configmap a -o jsonpath={.data.a}");
});

kubectl("set image and set env", async (k) => {
  await k.make(deployment("web"));
  await k.run("set image deployment/web web=nginx:2");
  await k.run("set env deployment/web A=b");
  await k.run("set resources deployment/web --limits=cpu=1");
  await k.run("get deployment web -o jsonpath={.spec.template.spec}");
});

kubectl("scale, and scale only from what is thought to be", async (k) => {
  await k.make(deployment("web"));
  await k.run("scale deployment web --replicas=5");
  assert.equal((await k.run("scale deployment web --current-replicas=2 --replicas=6")).code, 1);
  await k.run("scale deployment none --replicas=5");
  await k.run("get deployment web -o jsonpath={.spec.replicas}");
});

kubectl("wait for a condition, a value, and a deletion", async (k) => {
  await k.make(pod("a"), configMap("c"));
  const ready = JSON.stringify({ status: { conditions: [{ type: "Ready", status: "True" }] } });
  await k.run(["patch", "pod", "a", "--subresource=status", "-p", ready]);
  await k.run("wait pod/a --for=condition=Ready --timeout=60s");
  await k.run("wait pod/a --for=jsonpath={.status.phase}=Pending --timeout=60s");
  assert.equal((await k.run("wait pod/a --for=condition=Odd --timeout=1s")).code, 1);
  await k.run("delete configmap c");
  await k.run("wait configmap/c --for=delete --timeout=60s");
  assert.equal((await k.run("wait pod/none --for=condition=Ready --timeout=1s")).code, 1);
});

kubectl("delete by name, by selector, and of what is not there", async (k) => {
  await k.make(configMap("a"), configMap("b"), configMap("c"));
  await k.run("delete configmap a");
  assert.equal((await k.run("delete configmap a")).code, 1);
  await k.run("delete configmap a --ignore-not-found");
  await k.run("delete configmap -l kind=cm --dry-run=server");
  await k.run("delete configmap -l kind=cm");
  await k.run("get configmap -l kind=cm");
});

kubectl("delete a pod at once, and one that a finalizer holds", async (k) => {
  const held = pod("held") as { metadata: { finalizers?: string[] } };
  held.metadata.finalizers = ["example.com/hold"];
  await k.make(pod("a"), held);
  await k.run("delete pod a --now");
  await k.run("delete pod held --wait=false");
  await k.run(
    "get pod held -o jsonpath={.metadata.finalizers}{.metadata.deletionGracePeriodSeconds}",
  );
  await k.run(["patch", "pod", "held", "--type=merge", "-p", '{"metadata":{"finalizers":null}}']);
  await k.run("get pod held");
});

kubectl("rollout status tells when a deployment is out", async (k) => {
  await k.make(deployment("web"));
  const status = {
    observedGeneration: 1,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
  };
  await k.run([
    "patch",
    "deployment",
    "web",
    "--subresource=status",
    "-p",
    JSON.stringify({ status }),
  ]);
  assert.equal((await k.run("rollout status deployment/web --timeout=60s")).code, 0);
  await k.run("rollout pause deployment/web");
  await k.run("rollout resume deployment/web");
  await k.run("rollout history deployment/web");
  assert.equal((await k.run("rollout status deployment/web --timeout=5s")).code, 1);
});

kubectl("cordon, uncordon and taint a node", async (k) => {
  const node = k.unique("node");
  await k.make({ apiVersion: "v1", kind: "Node", metadata: { name: node } });
  await k.run(`cordon ${node}`);
  await k.run(`taint node ${node} a=b:NoSchedule`);
  await k.run(`get node ${node} -o jsonpath={.spec}`);
  await k.run(`uncordon ${node}`);
  await k.run(`delete node ${node}`);
});
