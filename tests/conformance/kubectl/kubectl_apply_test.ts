import assert from "node:assert/strict";
import { configMap, deployment, service } from "./kubectl_manifests.ts";
import { kubectlSuite } from "./kubectl_suite.ts";

const kubectl = kubectlSuite(import.meta.url);

kubectl("apply creates, changes nothing the second time, and then takes fields away", async (k) => {
  const file = await k.file("a.yaml", configMap("a", { x: "1", y: "2" }));
  await k.run(`apply -f ${file}`);
  await k.run(`apply -f ${file}`);
  await k.file("a.yaml", configMap("a", { x: "3" }));
  await k.run(`apply -f ${file}`);
  await k.run("get configmap a -o yaml --show-managed-fields");
});

kubectl("apply leaves alone what others set", async (k) => {
  const file = await k.file("d.yaml", deployment("web"));
  await k.run(`apply -f ${file}`);
  await k.run("scale deployment web --replicas=5");
  await k.run("annotate deployment web note=mine");
  await k.file("d.yaml", deployment("web", "nginx:1.28"));
  await k.run(`apply -f ${file}`);
  await k.run("get deployment web -o yaml");
});

kubectl("apply from standard input", async (k) => {
  await k.run("apply -f -", { stdin: JSON.stringify(configMap("a")) });
});

kubectl("apply without a last-applied annotation warns", async (k) => {
  const file = await k.file("a.yaml", configMap("a"));
  await k.run(`create -f ${file}`);
  await k.run(`apply -f ${file}`);
});

kubectl("apply --dry-run=server says what it would do and does not", async (k) => {
  const file = await k.file("a.yaml", configMap("a"));
  await k.run(`apply -f ${file} --dry-run=server`);
  assert.equal((await k.run("get configmap a")).code, 1);
});

kubectl("apply --server-side creates and changes", async (k) => {
  const file = await k.file("d.yaml", deployment("web"));
  await k.run(`apply --server-side -f ${file}`);
  await k.run(`apply --server-side -f ${file}`);
  await k.run("get deployment web -o yaml --show-managed-fields");
});

kubectl("apply --server-side tells of a conflict, and takes the field by force", async (k) => {
  const file = await k.file("a.yaml", configMap("a"));
  await k.run(`apply --server-side --field-manager=one -f ${file}`);
  await k.file("a.yaml", configMap("a", { a: "2" }));
  assert.equal((await k.run(`apply --server-side --field-manager=two -f ${file}`)).code, 1);
  await k.run(`apply --server-side --field-manager=two --force-conflicts -f ${file}`);
  await k.run("get configmap a -o yaml --show-managed-fields");
});

kubectl("apply --server-side after client-side apply takes its fields over", async (k) => {
  const file = await k.file("a.yaml", configMap("a", { x: "1", y: "2" }));
  await k.run(`apply -f ${file}`);
  await k.file("a.yaml", configMap("a", { x: "1" }));
  await k.run(`apply --server-side -f ${file}`);
  await k.run("get configmap a -o yaml --show-managed-fields");
});

kubectl("apply --prune deletes what is no longer in the files", async (k) => {
  const one = await k.file("a.yaml", configMap("a"));
  const two = await k.file("b.yaml", configMap("b"));
  await k.run(`apply -f ${one} -f ${two}`);
  await k.run(`apply -f ${one} --prune -l kind=cm --prune-allowlist=core/v1/ConfigMap`);
  await k.run("get configmaps -l kind=cm -o name");
});

kubectl("apply view-last-applied and set-last-applied", async (k) => {
  const file = await k.file("a.yaml", configMap("a"));
  await k.run(`apply -f ${file}`);
  await k.run("apply view-last-applied configmap/a");
  await k.file("a.yaml", configMap("a", { z: "1" }));
  await k.run(`apply set-last-applied -f ${file}`);
  await k.run("apply view-last-applied configmap/a -o json");
});

kubectl("diff tells what apply would change, with exit code 1", async (k) => {
  const file = await k.file("s.yaml", service("web"));
  await k.run(`apply -f ${file}`);
  assert.equal((await k.run(`diff -f ${file}`)).code, 0);
  await k.file("s.yaml", { ...service("web"), metadata: { name: "web", labels: { a: "b" } } });
  const { code, stdout } = await k.run(`diff -f ${file}`, { unrecorded: true });
  assert.equal(code, 1);
  assert.match(stdout, /^\+\s+labels:$/m);
  assert.match(stdout, /^\+\s+a: b$/m);
});

kubectl("replace puts an object in another's place", async (k) => {
  const file = await k.file("a.yaml", configMap("a"));
  assert.equal((await k.run(`replace -f ${file}`)).code, 1);
  await k.run(`create -f ${file}`);
  await k.file("a.yaml", configMap("a", { b: "2" }));
  await k.run(`replace -f ${file}`);
  await k.run(`replace --force -f ${file}`);
  await k.run("get configmap a -o jsonpath={.data}");
});
