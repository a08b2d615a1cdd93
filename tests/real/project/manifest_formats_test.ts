/**
 * Generated manifests in each form, taken by the tool that they are for: kubectl, its kustomize, helm, and
 * the validation library of Operator Framework.
 */
import assert from "node:assert/strict";
import { loadAll } from "js-yaml";
import { runCli } from "../../../cli/app.ts";
import { type Client, createClient } from "../../../lib/client/mod.ts";
import * as meta from "../../../lib/apimachinery/meta/mod.ts";
import { testContext } from "../../support/command_line/cli_context.ts";
import { findProjectTool, runTool } from "../../project_tools/project_tools.ts";
import { assertKept } from "../../support/kept_file.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { kubectl } from "../kubectl.ts";
import { realSuite } from "../suite.ts";

const suite = realSuite();

const OPERATORS = {
  post: new URL("../../support/operators/project_operator.ts", import.meta.url).href,
  xca: new URL("../../support/operators/xca_operator.ts", import.meta.url).href,
};

const GUARDED = new URL("../../support/operators/guarded_operator.ts", import.meta.url).href;

/** Runs a command on an operator of these tests, in a folder of its own. */
async function inFolder(
  line: string,
  work: (folder: string) => Promise<void>,
  { code: expected = 0 }: { readonly code?: number } = {},
): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const context = testContext();
    const args = line.replaceAll("F/", `${folder}/`).split(" ");
    const code = await runCli(args, context);
    assert.equal(code, expected, context.stderr());
    await work(folder);
    return context.stdout();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns objects as texts that name them, in order. */
function namesOf(yaml: string): string[] {
  return (loadAll(yaml) as meta.KubeObject[]).filter(Boolean)
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`).sort();
}

async function hasDeployment(client: Client, namespace: string): Promise<boolean> {
  const { items } = await client.list(meta.Deployment, { namespace });
  return items.length > 0;
}

/**
 * Deletes applied objects, and waits until the definitions are removed. It does not wait for
 * namespaces, which no controller empties here.
 */
async function deleteApplied(
  plane: Plane,
  args: readonly string[],
  options: { readonly stdin?: string } = {},
): Promise<void> {
  await kubectl(plane, ["delete", "--wait=false", ...args], options);
  await kubectl(plane, ["wait", "--for=delete", "crd/parcels.post.example.org", "--timeout=60s"]);
}

suite.test("kubectl applies the manifests with strict validation, and finds no difference afterwards", async (plane) => {
  const text = await inFolder(`manifests ${OPERATORS.post}`, () => Promise.resolve());
  await kubectl(plane, ["apply", "--server-side", "--validate=strict", "-f", "-"], {
    stdin: text,
  });
  // The second time changes nothing.
  const diff = await kubectl(plane, ["diff", "--server-side", "-f", "-"], { stdin: text });
  assert.equal(diff, "");
  await deleteApplied(plane, ["-f", "-"], { stdin: text });
});

suite.test("the kustomization has the objects of the manifests, and kubectl applies it in another namespace", async (plane) => {
  using client = createClient(plane.config);
  const all = await inFolder(`manifests ${OPERATORS.post}`, () => Promise.resolve());
  await inFolder(
    `manifests ${OPERATORS.post} --format kustomize --output F/config`,
    async (folder) => {
      const rendered = await kubectl(plane, ["kustomize", `${folder}/config/default`]);
      assert.deepEqual(namesOf(rendered), namesOf(all));
      await Deno.mkdir(`${folder}/own`);
      await Deno.writeTextFile(
        `${folder}/own/kustomization.yaml`,
        "namespace: own\nresources: [../config/base]\nimages: [{ name: post, newTag: '7' }]\n",
      );
      await kubectl(plane, ["apply", "--server-side", "-k", `${folder}/own`]);
      const { spec } = await client.get(meta.Deployment, "own/post");
      assert.equal(spec?.template.spec?.containers[0]?.image, "post:7");
      const { subjects } = await client.get(meta.ClusterRoleBinding, "post");
      assert.equal(subjects?.[0]?.namespace, "own");
      await deleteApplied(plane, ["-k", `${folder}/own`]);
    },
  );
});

suite.test("the default overlay renders the manifests, in another namespace once its field is changed", async (plane) => {
  const flags = `${GUARDED} --system-namespace guarded --service-monitor`;
  const rows = [
    { own: "--certificates cert-manager", namespace: "guarded" },
    { own: "--certificates cert-manager", namespace: "moved" },
    { own: "-n shop -n stock", namespace: "guarded" },
  ];
  for (const { own, namespace } of rows) {
    const moved = flags.replace(" guarded ", ` ${namespace} `);
    const all = await inFolder(`manifests ${moved} ${own}`, () => Promise.resolve());
    await inFolder(
      `manifests ${flags} ${own} --format kustomize --output F/config`,
      async (folder) => {
        const path = `${folder}/config/default/kustomization.yaml`;
        const text = await Deno.readTextFile(path);
        await Deno.writeTextFile(
          path,
          text.replace("\nnamespace: guarded\n", `\nnamespace: ${namespace}\n`),
        );
        const rendered = await kubectl(plane, ["kustomize", `${folder}/config/default`]);
        assert.deepEqual(objectsOf(rendered), objectsOf(all));
      },
    );
  }
});

suite.test("helm lints, installs, upgrades and uninstalls the chart, and the definitions stay", async (plane) => {
  const helm = findProjectTool("helm");
  if (helm === undefined) return;
  using client = createClient(plane.config);
  await inFolder(
    `manifests ${OPERATORS.post} --format helm --output F/chart --image registry.example.org/post:1.2.0`,
    async (folder) => {
      const env = {
        KUBECONFIG: plane.kubeconfigPath,
        HELM_CACHE_HOME: `${folder}/cache`,
        HELM_CONFIG_HOME: `${folder}/config`,
        HELM_DATA_HOME: `${folder}/data`,
      };
      const run = async (line: string): Promise<string> => {
        const { code, stdout, stderr } = await runTool(
          helm,
          line.replaceAll("F/", `${folder}/`).split(" "),
          env,
        );
        assert.equal(code, 0, `helm ${line}: ${stderr}${stdout}`);
        return stdout;
      };
      assert.match(await run("lint --strict F/chart"), /0 chart\(s\) failed/);
      await run("install post F/chart --namespace post-helm --create-namespace");
      const before = await client.get(meta.Deployment, "post-helm/post");
      const container = before.spec?.template.spec?.containers[0];
      assert.equal(container?.image, "registry.example.org/post:1.2.0");
      await run("upgrade post F/chart --namespace post-helm");
      const same = await client.get(meta.Deployment, "post-helm/post");
      assert.equal(same.metadata?.generation, before.metadata?.generation);
      await run(
        "upgrade post F/chart --namespace post-helm --set image.tag=2.0.0,replicas=3,networkPolicy.enabled=false",
      );
      const after = await client.get(meta.Deployment, "post-helm/post");
      assert.equal(after.spec?.replicas, 3);
      assert.match(after.spec?.template.spec?.containers[0]?.image ?? "", /post:2\.0\.0$/);
      const policies = await client.list(meta.NetworkPolicy, { namespace: "post-helm" });
      assert.deepEqual(policies.items, []);
      await run("uninstall post --namespace post-helm");
      assert.equal(await hasDeployment(client, "post-helm"), false);
      assert(await client.get(meta.CustomResourceDefinition, "parcels.post.example.org"));
    },
  );
});

/** Returns the objects of a YAML text, by kind, namespace and name. */
function objectsOf(yaml: string): Record<string, meta.KubeObject> {
  const objects = (loadAll(yaml) as meta.KubeObject[]).filter(Boolean);
  return Object.fromEntries(
    objects.map((object) => [
      `${object.kind} ${object.metadata.namespace ?? ""}/${object.metadata.name}`,
      object,
    ]).toSorted(([a], [b]) => String(a).localeCompare(String(b))),
  );
}

/** Returns manifests as the chart has them: definitions that stay, and roles of watched namespaces. */
function asInChart(yaml: string, watched: readonly string[]): Record<string, meta.KubeObject> {
  const objects = (loadAll(yaml) as meta.KubeObject[]).filter(({ kind }) => kind !== "Namespace");
  for (const object of objects) {
    const { metadata, kind } = object;
    if (kind === "CustomResourceDefinition") {
      metadata.annotations = { ...metadata.annotations, "helm.sh/resource-policy": "keep" };
    }
    if (kind === "Deployment") {
      const { spec } = object as unknown as meta.UnstructuredObject & {
        spec: { template: { spec: { containers: { imagePullPolicy?: string }[] } } };
      };
      spec.template.spec.containers[0]!.imagePullPolicy = "IfNotPresent";
    }
    if (!watched.includes(metadata.namespace ?? "")) continue;
    metadata.name = `${metadata.name}-watched`;
    const { roleRef } = object as { roleRef?: { name: string } };
    if (roleRef) roleRef.name += "-watched";
  }
  return objectsOf(objects.map((object) => `---\n${JSON.stringify(object)}\n`).join(""));
}

Deno.test("each combination of the chart's values renders the manifests of the same flags", async () => {
  const helm = findProjectTool("helm");
  if (helm === undefined) return;
  const flags = `${GUARDED} --system-namespace guarded --service-monitor`;
  await inFolder(`manifests ${flags} --format helm --output F/chart`, async (folder) => {
    const render = async (sets: readonly string[]): Promise<string> => {
      const args = ["template", "guarded", `${folder}/chart`, "--namespace=guarded"];
      const { code, stdout, stderr } = await runTool(
        helm,
        [...args, ...sets.map((each) => `--set=${each}`)],
        { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder },
      );
      assert.equal(code, 0, stderr);
      return stdout;
    };
    for (const certificates of ["own", "cert-manager"]) {
      for (const watched of [[], ["shop"], ["shop", "stock"]]) {
        const text = await inFolder(
          [
            "manifests",
            flags,
            "--certificates",
            certificates,
            ...watched.map((each) => `-n ${each}`),
          ]
            .join(" "),
          () => Promise.resolve(),
        );
        const rendered = await render([
          `certManager.enabled=${certificates === "cert-manager"}`,
          `watchNamespaces={${watched.join(",")}}`,
          "serviceMonitor.enabled=true",
        ]);
        assert.deepEqual(objectsOf(rendered), asInChart(text, watched));
      }
    }
    // Without metrics, nothing is left that serves or reads them.
    const without = await render(["metrics.enabled=false", "serviceMonitor.enabled=true"]);
    assert.match(without, /--metrics-bind-address=0/);
    assert.doesNotMatch(without, /tokenreviews|8443,|name: metrics|ServiceMonitor|guarded-metrics/);
    const placed = objectsOf(
      await render([
        "imagePullSecrets[0].name=registry",
        "nodeSelector.disk=ssd",
        "tolerations[0].key=spot",
        "tolerations[0].operator=Exists",
        "affinity.nodeAffinity=null",
        "resources.limits.memory=1Gi",
        "replicas=3",
        "crds.install=false",
        "networkPolicy.enabled=false",
      ]),
    );
    assert(!Object.keys(placed).some((name) => /^(CustomResource|NetworkPolicy)/.test(name)));
    const { spec } = placed["Deployment guarded/guarded"] as unknown as {
      spec: { replicas: number; template: { spec: Record<string, unknown> } };
    };
    assert.equal(spec.replicas, 3);
    const { imagePullSecrets, nodeSelector, tolerations, containers } = spec.template.spec;
    assert.deepEqual(imagePullSecrets, [{ name: "registry" }]);
    assert.deepEqual(nodeSelector, { disk: "ssd" });
    assert.deepEqual(tolerations, [{ key: "spot", operator: "Exists" }]);
    const [{ resources }] = containers as [{ resources: { limits: unknown } }];
    assert.deepEqual(resources.limits, { memory: "1Gi" });
    const lint = await runTool(helm, ["lint", "--strict", `${folder}/chart`]);
    assert.equal(lint.code, 0, lint.stdout);
  });
});

for (const [name, module] of Object.entries(OPERATORS)) {
  Deno.test(`the OLM bundle of ${name} has no finding of Operator Framework, and holds the scorecard's static rules`, async () => {
    const check = findProjectTool("olm-check");
    if (check === undefined) return;
    await checkBundle(check, module);
  });
}

Deno.test("the kept manifests of the Xca operator are those that are generated", async () => {
  const text = await inFolder(`manifests ${OPERATORS.xca}`, () => Promise.resolve());
  const path = "tests/support/operators/xca_install.yaml";
  await assertKept(path, text, "tests/real/project/manifest_formats_test.ts");
});

interface Csv {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly customresourcedefinitions: {
      readonly owned: readonly {
        readonly kind: string;
        readonly resources: readonly unknown[];
        readonly specDescriptors: readonly { readonly path: string }[];
        readonly statusDescriptors: readonly { readonly path: string }[];
      }[];
    };
  };
}

async function checkBundle(check: string, module: string): Promise<void> {
  await inFolder(`bundle ${module} --output F/bundle --package-version 1.2.0`, async (folder) => {
    const { code, stdout } = await runTool(check, [`${folder}/bundle`]);
    assert.deepEqual([code, stdout], [0, ""]);
    const [csvFile] = (await Array.fromAsync(Deno.readDir(`${folder}/bundle/manifests`)))
      .filter((entry) => entry.name.includes("clusterserviceversion"));
    const text = await Deno.readTextFile(`${folder}/bundle/manifests/${csvFile!.name}`);
    const [csv] = loadAll(text) as Csv[];
    const samples = JSON.parse(csv!.metadata.annotations["alm-examples"]!) as {
      kind: string;
      spec?: Record<string, unknown>;
      status?: Record<string, unknown>;
    }[];
    const { owned } = csv!.spec.customresourcedefinitions;
    assert(owned.length > 0);
    for (const { kind, resources, specDescriptors, statusDescriptors } of owned) {
      const sample = samples.find((each) => each.kind === kind);
      assert(sample?.spec, `olm-crds-have-validation: ${kind} has an example with a spec`);
      assert(resources.length > 0, `olm-crds-have-resources: ${kind}`);
      const described = (list: readonly { readonly path: string }[]): string[] =>
        list.map(({ path }) => path);
      for (const field of Object.keys(sample.spec)) {
        assert(described(specDescriptors).includes(field), `olm-spec-descriptors: ${field}`);
      }
      for (const field of Object.keys(sample.status ?? {})) {
        assert(described(statusDescriptors).includes(field), `olm-status-descriptors: ${field}`);
      }
    }
  });
}
