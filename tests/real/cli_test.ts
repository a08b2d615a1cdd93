/**
 * The command line as its users meet it: real kubectl, the launcher on PATH, a real kube-apiserver.
 */
import assert from "node:assert/strict";
import type { V1Lease } from "../../lib/apimachinery/kubernetes_types/mod.ts";
import { delay } from "../../lib/apimachinery/base/mod.ts";
import { Lease } from "../../lib/apimachinery/meta/mod.ts";
import { createClient, mergePatch } from "../../lib/client/mod.ts";
import { Xca } from "../../lib/xca/mod.ts";
import {
  installPlugin,
  kubectlWithPlugin,
  kubectlXca,
  kubectlXcaRun,
  startKubectlXca,
  startKubectlXcaRun,
} from "../support/packaging/plugin.ts";
import { until } from "../support/until.ts";
import { kubectl } from "./kubectl.ts";
import type { Plane } from "../support/planes/plane.ts";
import { planeSuite } from "./suite.ts";

const suite = planeSuite({ audit: true, kubectl: true });

function manifest(name: string, namespace: string, labels: Record<string, string> = {}): unknown {
  return {
    apiVersion: "apps.xca.k8s.kb.cx/v1beta1",
    kind: "Xca",
    metadata: { name, namespace, labels },
    spec: { foo: `foo-${name}` },
  };
}

async function create(plane: Plane, items: readonly unknown[]): Promise<void> {
  const list = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  await kubectl(plane, ["create", "-f", "-"], { stdin: list });
}

suite.test("the plugin is packaged and kubectl finds it", async (plane) => {
  await installPlugin(plane);
  const { stdout } = await kubectlWithPlugin(plane, "plugin", "list").output();
  assert.match(new TextDecoder().decode(stdout), /\/kubectl-xca\n/);
});

suite.test("status without the CRD says how to install it and exits 1", async (plane) => {
  const { code, stdout, stderr } = await kubectlXca(plane, "status");
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(
    stderr,
    /does not have the resource xcas\.apps\.xca\.k8s\.kb\.cx.*run --install-crds/,
  );
});

suite.test("run --install-crds --once with nothing to do exits 0, and may be repeated", async (plane) => {
  for (let round = 0; round < 2; round++) {
    const { code, stdout, stderr } = await kubectlXca(
      plane,
      "run",
      "--install-crds",
      "--once",
      "-A",
    );
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "0 reconciled, 0 failed, 0 scheduled\n");
  }
  const columns = await kubectl(plane, ["get", "xcas", "-o", "wide"]);
  assert.equal(columns, "");
});

suite.test("status without objects exits 0 with kubectl's message", async (plane) => {
  const here = await kubectlXca(plane, "status");
  assert.deepEqual(here, {
    code: 0,
    stdout: "",
    stderr: "No resources found in default namespace.\n",
  });
  const everywhere = await kubectlXca(plane, "status", "-A");
  assert.deepEqual(everywhere, { code: 0, stdout: "", stderr: "No resources found\n" });
  const json = await kubectlXca(plane, "status", "-o", "json");
  assert.deepEqual(JSON.parse(json.stdout).items, []);
});

suite.test("status lists inactive objects, run --once activates them, status then reports them active", async (plane) => {
  await create(plane, [
    manifest("earth", "default", { team: "blue" }),
    manifest("mars", "default", { team: "red" }),
    manifest("moon", "kube-public"),
  ]);
  const before = await kubectlXca(plane, "status");
  assert.equal(before.code, 1);
  assert.match(
    before.stdout,
    /^NAME {4}FOO {9}ACTIVE {3}LAST UPDATE {3}AGE\nearth {3}foo-earth +[\dms]+\n/,
  );

  const run = await kubectlXca(plane, "run", "--once", "--log-format=json");
  assert.equal(run.code, 0, run.stderr);
  assert.equal(run.stdout, "2 reconciled, 0 failed, 0 scheduled\n");
  for (const line of run.stderr.trim().split("\n")) assert.ok(JSON.parse(line).msg, line);

  const after = await kubectlXca(plane, "status");
  assert.equal(after.code, 0, after.stderr);
  assert.match(
    after.stdout,
    /\nearth {3}foo-earth {3}true {5}[\dms]+ +[\dms]+\nmars {4}foo-mars {4}true/,
  );

  const all = await kubectlXca(plane, "status", "-A", "-o", "wide");
  assert.equal(all.code, 1);
  assert.match(all.stdout, /^NAMESPACE +NAME +FOO +ACTIVE +LAST UPDATE +AGE +GENERATION +UID\n/);
  assert.match(all.stdout, /\nkube-public +moon +foo-moon +[\dms]+ +1 +[0-9a-f-]{36}\n$/);
});

suite.test("status prints the columns of kubectl get", async (plane) => {
  const ours = await kubectlXca(plane, "status");
  const theirs = await kubectl(plane, ["get", "xcas"]);
  const cells = (table: string): string[] => table.replace(/\b(\d+[smh])+\b/g, "AGE").split(/\s+/);
  assert.deepEqual(cells(ours.stdout), cells(theirs));
});

suite.test("status of names: a missing object is an error, the others are printed", async (plane) => {
  const { code, stdout, stderr } = await kubectlXca(plane, "status", "earth", "nope", "-o", "name");
  assert.equal(code, 1);
  assert.equal(stdout, "xca.apps.xca.k8s.kb.cx/earth\n");
  assert.equal(
    stderr,
    'Error from server (NotFound): xcas.apps.xca.k8s.kb.cx "nope" not found\n',
  );
  assert.equal((await kubectlXca(plane, "status", stdout.trim(), "xca/mars")).code, 0);
  const json = await kubectlXca(plane, "status", "earth", "-o", "json");
  const theirs = await kubectl(plane, ["get", "xca", "earth", "-o", "json"]);
  assert.deepEqual(JSON.parse(json.stdout), JSON.parse(theirs));
  const yaml = await kubectlXca(plane, "status", "earth", "-oyaml", "-n=default");
  assert.match(yaml.stdout, /^kind: Xca$/m);
});

suite.test("status -l selects by label; the server refuses an invalid selector", async (plane) => {
  const blue = await kubectlXca(plane, "status", "-l", "team=blue", "-o", "name");
  assert.equal(blue.stdout, "xca.apps.xca.k8s.kb.cx/earth\n");
  const bad = await kubectlXca(plane, "status", "-l", "a=(b");
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /^error: the selector "a=\(b" cannot be used: /);
});

suite.test("status --watch prints the table, then each change, until Ctrl-C", async (plane) => {
  await using watch = startKubectlXca(plane, "status", "-n", "kube-public", "--watch");
  await until(() => /^NAME .*\nmoon /.test(watch.output()), () => watch.output());
  await create(plane, [manifest("phobos", "kube-public")]);
  await until(() => /\nphobos /.test(watch.output()), () => watch.output());
  const { code } = await kubectlXca(plane, "run", "-n", "kube-public", "--once");
  assert.equal(code, 0);
  await until(() => /\nmoon +foo-moon +true/.test(watch.output()), () => watch.output());
  watch.kill("SIGINT");
  assert.equal(await watch.ended, 130);
});

suite.test("status without permission to list reports it, with the command to check", async (plane) => {
  const { code, stderr } = await kubectlXca(plane, "status", "--as", "nobody");
  assert.equal(code, 1);
  assert.match(stderr, /^Error from server \(Forbidden\): .*User "nobody" cannot list/);
  assert.match(stderr, /kubectl auth can-i --list --as nobody\n/);
});

suite.test("run stops on SIGTERM with 0, on Ctrl-C with 130", async (plane) => {
  for (const [signal, code] of [["SIGTERM", 0], ["SIGINT", 130]] as const) {
    await using run = startKubectlXca(plane, "run", "-A");
    await until(() => /Running/.test(run.output()), () => run.output());
    run.kill(signal);
    assert.equal(await run.ended, code, run.output());
  }
});

suite.test("run waits at a first signal for a run in progress, and a second one ends it at once", async (plane) => {
  const module = `
    import { ConfigMap, controllerFor, defineOperator } from "@xca/operator";
    const controller = controllerFor(ConfigMap).reconcile(() => new Promise(() => {
      setInterval(() => {}, 1_000_000); // It ignores its signal.
    }));
    export default defineOperator({ name: "busy", controllers: [controller] });
  `;
  await kubectl(plane, ["create", "configmap", "busy"]);
  await using run = await startKubectlXcaRun(plane, module, "--graceful-shutdown-timeout=-1s");
  await until(() => /Controller configmap works/.test(run.output()), () => run.output());
  run.kill("SIGTERM");
  await until(() => /once more ends at once/.test(run.output()), () => run.output());
  assert.equal(await Promise.race([run.ended, delay(500).then(() => "runs")]), "runs");
  run.kill("SIGTERM");
  assert.equal(await run.ended, 130, run.output());
});

suite.test("run --leader-elect: one of two replicas reconciles, the other takes over when it ends", async (plane) => {
  await kubectl(plane, ["create", "namespace", "elected"]);
  const flags = [
    "run",
    "-A",
    "--install-crds",
    "--leader-elect",
    "--leader-election-id=xca.elected",
  ];
  const inElected = [...flags, "--leader-election-namespace=elected"];
  await using first = startKubectlXca(plane, ...inElected);
  await until(() => /Running/.test(first.output()), () => first.output());
  using client = createClient(plane.config);
  const holder = async (): Promise<string> =>
    (await client.get(Lease, "elected/xca.elected").catch(() => undefined))?.spec
      ?.holderIdentity ?? "";
  await until(async () => await holder() !== "", () => first.output());
  const leader = await holder();
  await using second = startKubectlXca(plane, ...inElected);
  await until(() => second.output().includes(leader), () => second.output());
  await create(plane, [manifest("a", "elected")]);
  const active = async (name: string): Promise<boolean> =>
    (await client.get(Xca, `elected/${name}`)).status?.active === true;
  await until(() => active("a"), () => first.output());
  assert(!/Reconciled|is active/.test(second.output()), second.output());
  first.kill("SIGTERM");
  assert.equal(await first.ended, 0, first.output());
  await create(plane, [manifest("b", "elected")]);
  await until(() => active("b"), () => second.output());

  const nowhere = [...flags, "--leader-election-namespace=nowhere"];
  const refused = await kubectlXca(plane, ...nowhere);
  assert.equal(refused.code, 1, refused.stderr);
  assert.match(
    refused.stderr,
    /\nerror: Cannot elect a leader by the Lease nowhere\/\S+: namespaces "nowhere" not found; kubectl create namespace nowhere, or name another one by --leader-election-namespace\n$/,
  );

  const theft = mergePatch<V1Lease>({ spec: { holderIdentity: "thief" } });
  await client.patch(Lease, "elected/xca.elected", theft);
  assert.equal(await second.ended, 1, second.output());
  assert.match(second.output(), /error: Lost the lease elected\/xca\.elected: thief holds it\n$/);
});

suite.test("an operator killed half-way through a thousand objects and restarted: all active, none written twice", async (plane) => {
  const count = 1000;
  const names = Array.from({ length: count }, (_, i) => `many-${String(i).padStart(4, "0")}`);
  using client = createClient(plane.config);
  await kubectl(plane, ["create", "namespace", "many"]);
  const active = async (): Promise<number> => {
    const { items } = await client.list(Xca, { namespace: "many" });
    return items.filter((xca) => xca.status?.active).length;
  };
  {
    await using first = startKubectlXca(plane, "run", "-A", "--workers", "4");
    await until(() => /Running/.test(first.output()), () => first.output());
    const creating = create(plane, names.map((name) => manifest(name, "many")));
    await until(async () => await active() >= count / 4);
    first.kill("SIGKILL");
    await first.ended;
    await creating;
  }
  const left = count - await active();
  assert(left > 0, "the operator was killed too late to show anything");
  await using second = startKubectlXca(plane, "run", "-A", "--workers", "4");
  const startedMs = performance.now();
  await until(async () => await active() === count, () => second.output());
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  // deno-lint-ignore no-console
  console.log(
    `${left} of ${count} were left after the kill; all active ${seconds} s after the restart`,
  );

  const writes = new Map<string, number>();
  for (const { objectRef, responseStatus, stage } of await plane.auditEvents()) {
    if (objectRef?.subresource !== "status" || objectRef.namespace !== "many") continue;
    if (stage !== "ResponseComplete" || responseStatus?.code !== 200) continue;
    writes.set(objectRef.name!, (writes.get(objectRef.name!) ?? 0) + 1);
  }
  assert.deepEqual([...writes].filter(([, times]) => times !== 1), []);
  // A write whose client was killed before the answer is not logged as answered: one a worker at most.
  assert(count - writes.size <= 4, `${count - writes.size} active objects without a logged write`);
});

suite.test("kubectl completes the plugin: commands, values, and names of objects", async (plane) => {
  const offered = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await kubectlWithPlugin(plane, "__complete", "xca", ...words).output();
    return new TextDecoder().decode(stdout).trim().split("\n").map((line) => line.split("\t")[0]!);
  };
  assert.deepEqual(await offered("st"), ["status", ":4"]);
  assert.deepEqual(await offered("status", "-o", "j"), ["json", ":4"]);
  // Without the flag, what takes longer than a shell waits is not offered.
  const patient = "--request-timeout=2m";
  assert.deepEqual(await offered("status", patient, "ea"), ["earth", ":4"]);
  assert.deepEqual(await offered("status", patient, "earth", ""), ["mars", ":4"]);
  assert.deepEqual(await offered("status", patient, "-n", "kube-p"), ["kube-public", ":4"]);
});

suite.test("kubectl completes KIND/NAME of why: kinds, then names of their objects, as kubectl get does", async (plane) => {
  const completed = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await kubectlWithPlugin(plane, "__complete", ...words).output();
    return new TextDecoder().decode(stdout).trim().split("\n").map((line) => line.split("\t")[0]!);
  };
  const patient = "--request-timeout=2m";
  const why = (...words: string[]): Promise<string[]> => completed("xca", "why", patient, ...words);
  const directive = ":6"; // no space, since the name follows, and no files
  const [kinds, kubectlKinds] = await Promise.all([why(""), completed("get", "")]);
  assert.deepEqual(kinds.at(-1), directive);
  const listed = kinds.slice(0, -1).map((kind) => kind.replace(/\/$/, ""));
  assert.deepEqual(listed.toSorted(), kubectlKinds.slice(0, -1).toSorted());
  assert.deepEqual(await why("xc"), ["xcas.apps.xca.k8s.kb.cx/", directive]);
  for (const kind of ["xcas.apps.xca.k8s.kb.cx", "xca", "Xca", "xcas"]) {
    assert.deepEqual(await why(`${kind}/ma`), [`${kind}/mars`, ":4"]);
  }
  assert.deepEqual(await why("ns/kube-p"), ["ns/kube-public", ":4"]);
  assert.deepEqual(await why("-n", "kube-node-lease", "xca/"), [":4"]);
  assert.deepEqual(await why("frobs/"), [":4"]);
  assert.deepEqual(await why("xca/mars", ""), [":4"], "why takes one object");
  assert.deepEqual(await why("--operator-namespace", "kube-p"), ["kube-public", ":4"]);
  assert.deepEqual(await why("--lease", "no-such"), [":4"]);
});

suite.test("F35 run survives a rejected promise that a user's module never awaits, and logs it", async (plane) => {
  const module = `
    import { controllerFor, defineOperator } from "@xca/operator";
    import { Xca } from "@xca/operator/xca";
    export default defineOperator({
      name: "floating",
      controllers: [controllerFor(Xca).reconcile(({ name }) => {
        if (name === "earth") Promise.reject(new Error("nobody awaits me"));
      })],
    });`;
  const { code, stdout, stderr } = await kubectlXcaRun(plane, module, "--once");
  assert.equal(code, 1, stderr); // It went on; but that all went well, nobody can say.
  assert.equal(stdout, "2 reconciled, 0 failed, 0 scheduled\n");
  assert.match(stderr, /not awaited was rejected.*error="nobody awaits me" at="operator\.ts:7"/);
});

suite.test("run of a user's module whose resource is missing names the command that installs it, and exits 1", async (plane) => {
  const module = (crds: string): string => `
    import { controllerFor, defineOperator, resourceType } from "@xca/operator";
    const Thing = resourceType({ group: "a.b", version: "v1", kind: "Thing", plural: "things" });
    export default defineOperator({
      name: "things",
      crds: [${crds}],
      controllers: [controllerFor(Thing).reconcile(() => {})],
    });`;
  const none = await kubectlXcaRun(plane, module(""));
  assert.equal(none.code, 1);
  assert.match(none.stderr, /resource things\.a\.b in version v1; .*kubectl apply one\n$/);
  const own = await kubectlXcaRun(
    plane,
    module(
      `{ kind: "CustomResourceDefinition", metadata: { name: "things.a.b" } }`,
    ),
  );
  assert.equal(own.code, 1);
  assert.match(own.stderr, /install it first: kubectl xca run \.\/operator\.ts --install-crds\n$/);
});

suite.test("run of a user's module with the wrong kind or scope of a resource reports it, and exits 2", async (plane) => {
  for (
    const [wrong, difference] of [
      [`kind: "Configmap"`, "with kind ConfigMap, not Configmap"],
      [`kind: "ConfigMap", scope: "Cluster"`, "with scope Namespaced, not Cluster"],
    ] as const
  ) {
    const { code, stderr } = await kubectlXcaRun(
      plane,
      `
      import { controllerFor, defineOperator, resourceType } from "@xca/operator";
      const Map = resourceType({ group: "", version: "v1", plural: "configmaps", ${wrong} });
      export default defineOperator({
        name: "maps",
        controllers: [controllerFor(Map).reconcile(() => {})],
      });`,
    );
    assert.equal(code, 2);
    assert(
      stderr.includes(`configmaps.v1: the server serves it ${difference}; correct what`),
      stderr,
    );
  }
});

suite.test("run --once stopped half-way exits 130 on Ctrl-C, and 1 on SIGTERM", async (plane) => {
  const module = `
    import { controllerFor, defineOperator } from "@xca/operator";
    import { delay } from "@xca/operator/base";
    import { Xca } from "@xca/operator/xca";
    export default defineOperator({
      name: "slow",
      controllers: [controllerFor(Xca).reconcile(async ({ log }) => {
        log.info("Begun");
        await delay(500);
        return { requeueAfterMs: 0 };
      })],
    });`;
  for (
    const [signal, code, said] of [
      ["SIGINT", 130, /\nStopping on SIGINT/],
      ["SIGTERM", 1, /\nerror: Operator slow stopped before everything was done: .*SIGTERM\n/],
    ] as const
  ) {
    await using run = await startKubectlXcaRun(plane, module, "--once");
    await until(() => /Begun/.test(run.output()), () => run.output());
    run.kill(signal);
    assert.equal(await run.ended, code, run.output());
    assert.match(run.output(), said);
    assert.equal(/\nerror: /.test(run.output()), code === 1, run.output());
  }
});

suite.test("F35 run --once of a user's module that throws a value without text, and whose mapping fails, exits 1", async (plane) => {
  const module = `
    import { controllerFor, defineOperator } from "@xca/operator";
    import { Namespace } from "@xca/operator/meta";
    import { Xca } from "@xca/operator/xca";
    export const operator = defineOperator({
      name: "hostile",
      controllers: [
        controllerFor(Xca).watches(Namespace, ({ name }) => {
          if (name === "default") throw Object.create(null);
          return [];
        }).reconcile(({ name }) => {
          if (name === "earth") throw Object.create(null);
          throw Object.defineProperty(new Error(), "message", { get() { throw this; } });
        }),
      ],
    });`;
  const { code, stdout, stderr } = await kubectlXcaRun(plane, module, "--once");
  assert.equal(code, 1, stderr);
  assert.equal(stdout, "2 reconciled, 3 failed, 0 scheduled\n");
  assert.match(stderr, /\n\S+ +default\/earth +5 +an object that has no text\n/);
  assert.match(stderr, /\n\S+ +default\/mars +5 +Error\n/);
  assert.match(
    stderr,
    /\n\S+ +default +([5-9]|\d\d+) +the mapping of namespaces\.v1 to keys failed: an object/,
  );
});

suite.test("run --once of a user's module lists the keys that still fail and exits 1", async (plane) => {
  const module = `
    import { controllerFor, defineOperator, terminal } from "@xca/operator";
    import { isNotFound } from "@xca/operator/client";
    import { Pod } from "@xca/operator/meta";
    import { Xca } from "@xca/operator/xca";
    export const operator = defineOperator({
      name: "failing",
      controllers: [controllerFor(Xca).reconcile(async ({ name, client }) => {
        if (name === "earth") throw new Error("cannot do it");
        const missing = await client.get(Pod, "default/none").catch((error) => error);
        throw terminal(isNotFound(missing) ? "will never do it" : "not as expected");
      })],
    });`;
  const { code, stdout, stderr } = await kubectlXcaRun(plane, module, "--once");
  assert.equal(code, 1, stderr);
  assert.equal(stdout, "2 reconciled, 2 failed, 0 scheduled\n");
  assert.match(stderr, /\nCONTROLLER +KEY +ATTEMPTS +ERROR\n/);
  assert.match(stderr, /\n\S+ +default\/earth +5 +cannot do it\n/);
  assert.match(stderr, /\n\S+ +default\/mars +1 +will never do it\n/);
});

suite.test("run without the declared rights is one line with the rules, before anything starts", async (plane) => {
  const { code, stderr } = await kubectlXca(plane, "run", "-n", "default", "--as", "nobody");
  assert.equal(code, 1, stderr);
  const error = stderr.slice(stderr.indexOf("error: "));
  assert.equal(error.trim().split("\n").length, 1, stderr);
  assert.match(
    error,
    /may not list, watch, get, create, update, patch and delete xcas\.apps\.xca\.k8s\.kb\.cx in namespace default, nor/,
  );
  assert(
    error.includes(
      'grant that by a Role with {"apiGroups":["apps.xca.k8s.kb.cx"],"resources":["xcas"],' +
        '"verbs":["list","watch","get","create","update","patch","delete"]}',
    ),
    stderr,
  );
  assert(!/Running|Controller/.test(stderr), stderr);
});

suite.test("run of several namespaces reconciles in each of them and in no other", async (plane) => {
  const namespaces = ["several-a", "several-b", "several-c"];
  for (const namespace of namespaces) {
    await kubectl(plane, ["create", "namespace", namespace]);
    await create(plane, [manifest("one", namespace)]);
  }
  const [a, b] = namespaces as [string, string];
  const { code, stdout, stderr } = await kubectlXca(
    plane,
    "run",
    "--install-crds",
    "--once",
    "-n",
    a,
    `--namespace=${b}`,
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^2 reconciled, 0 failed, 0 scheduled\n$/);
  using client = createClient(plane.config);
  for (const namespace of namespaces) {
    const { status } = await client.get(Xca, `${namespace}/one`);
    assert.equal(status?.active === true, namespace !== "several-c", namespace);
  }
});
