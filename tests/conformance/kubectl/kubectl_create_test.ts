import assert from "node:assert/strict";
import { configMap, deployment } from "./kubectl_manifests.ts";
import { kubectlSuite } from "./kubectl_suite.ts";

const kubectl = kubectlSuite(import.meta.url);

kubectl("create makes objects from a file, and says when they are there already", async (k) => {
  const file = await k.file("all.yaml", {
    apiVersion: "v1",
    kind: "List",
    items: [configMap("a"), deployment("web")],
  });
  assert.equal((await k.run(`create -f ${file}`)).code, 0);
  assert.equal((await k.run(`create -f ${file}`)).code, 1);
});

kubectl("create refuses a field that the kind does not have", async (k) => {
  const file = await k.file("odd.yaml", { ...configMap("a"), daat: { a: "1" } });
  assert.equal((await k.run(`create -f ${file}`)).code, 1);
  assert.equal((await k.run(`create -f ${file} --validate=warn`)).code, 0);
});

kubectl("create tells all that is wrong with an object", async (k) => {
  const file = await k.file("bad.yaml", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "Not_OK" },
    spec: { ports: [{ port: 0 }] },
  });
  assert.equal((await k.run(`create -f ${file}`)).code, 1);
});

kubectl("create of an unknown kind", async (k) => {
  const file = await k.file("odd.yaml", { apiVersion: "v9", kind: "Odd", metadata: { name: "a" } });
  assert.equal((await k.run(`create -f ${file}`)).code, 1);
});

const GENERATORS = [
  "configmap a --from-literal=x=1 --from-literal=y=2",
  "secret generic a --from-literal=password=p",
  "secret docker-registry a --docker-server=example.com --docker-username=u --docker-password=p",
  "serviceaccount robot",
  "deployment web --image=nginx --replicas=3 --port=80",
  "service clusterip web --tcp=80:8080",
  "service nodeport web --tcp=80",
  "service externalname web --external-name=example.com",
  "job once --image=busybox -- echo hello",
  "cronjob often --image=busybox --schedule=*/5\u00a0*\u00a0*\u00a0*\u00a0*",
  "role reader --verb=get,list --resource=pods",
  "rolebinding read --role=reader --serviceaccount=default:robot",
  "quota small --hard=pods=5",
  "poddisruptionbudget some --selector=app=web --min-available=1",
  "ingress site --rule=example.com/=web:80",
];

for (const generator of GENERATORS) {
  const [what, ...more] = generator.split(" ");
  const kind = ["secret", "service"].includes(what!) ? `${what} ${more[0]}` : what!;
  kubectl(`create ${kind}`, async (k) => {
    const args = generator.split(" ").map((each) => each.replaceAll("\u00a0", " "));
    assert.equal((await k.run(["create", ...args])).code, 0);
    const name = args[kind.split(" ").length]!;
    const shown = await k.run(`get ${what} ${name} -o yaml`);
    assert.equal(shown.code, 0);
  });
}

kubectl("create token gives a token for a service account", async (k) => {
  await k.run("create serviceaccount robot");
  const { code, stdout } = await k.run("create token robot --duration=10m", { unrecorded: true });
  assert.equal(code, 0);
  assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  await k.run("create token none");
});

kubectl("run makes a pod", async (k) => {
  await k.run("run one --image=busybox --restart=Never --labels=a=b -- sleep 1");
  await k.run("get pod one -o yaml");
});

kubectl("expose makes a service for a deployment", async (k) => {
  await k.run(["create", "-f", await k.file("d.yaml", deployment("web"))]);
  await k.run("expose deployment web --port=80 --target-port=8080");
  await k.run("get service web -o jsonpath={.spec.selector}{.spec.ports}");
});

kubectl("autoscale makes an autoscaler", async (k) => {
  await k.run(["create", "-f", await k.file("d.yaml", deployment("web"))]);
  await k.run("autoscale deployment web --min=1 --max=3 --cpu-percent=80");
  await k.run("get hpa web");
});
