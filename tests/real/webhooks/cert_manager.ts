/**
 * The manifests for cert-manager, with cert-manager's own controllers on kube-apiserver: the webhooks of the
 * operator are served with the certificate that they issue, and through its renewal.
 *
 * ```sh
 * deno task test:cert-manager
 * ```
 *
 * @module
 */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:tls";
import { loadAll } from "js-yaml";
import { systemClock } from "../../../lib/apimachinery/base/mod.ts";
import * as meta from "../../../lib/apimachinery/meta/mod.ts";
import { type Client, createClient, isInvalid, mergePatch } from "../../../lib/client/mod.ts";
import { deployObjects, type ManifestObject, manifestsOf } from "../../../lib/project/mod.ts";
import { filesCertificate, webhookServer } from "../../../lib/webhook/mod.ts";
import { guarded } from "../../support/operators/guarded_operator.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until } from "../../support/until.ts";
import { findProjectTool } from "../../project_tools/project_tools.ts";
import { realSuite } from "../suite.ts";

const suite = realSuite();

const NAMES = { name: "guarded", namespace: "guarded" };
const SERVICE = "guarded-webhooks.guarded.svc";
const SECRET = "guarded/guarded-webhook-certificate";

const Disk = (version: string): meta.ResourceType<meta.UnstructuredObject> =>
  meta.resourceType({ group: "guarded.example.org", version, kind: "Disk", plural: "disks" });
const Certificate = meta.resourceType<meta.UnstructuredObject>({
  group: "cert-manager.io",
  version: "v1",
  kind: "Certificate",
  plural: "certificates",
});

/** Installs the definitions of cert-manager, and starts its controllers. */
async function startCertManager(
  plane: Plane,
  client: Client,
  program: string,
): Promise<AsyncDisposable> {
  for await (const { name } of Deno.readDir(`${program}.files`)) {
    if (!name.endsWith(".yaml")) continue;
    const objects = loadAll(await Deno.readTextFile(`${program}.files/${name}`));
    for (const object of objects as meta.UnstructuredObject[]) {
      await client.create(meta.CustomResourceDefinition, object as never);
    }
  }
  const served = (): Promise<boolean> => client.list(Certificate).then(() => true, () => false);
  await until(served, "the definitions of cert-manager");
  const process = new Deno.Command(program, {
    args: [`--kubeconfig=${plane.kubeconfigPath}`],
    stderr: "piped",
  }).spawn();
  const log = new Response(process.stderr).text();
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      process.kill("SIGTERM");
      const [{ success }, text] = await Promise.all([process.status, log]);
      assert(success, text);
    },
  };
}

/** Points Services and configurations at this machine, which kube-apiserver reaches without a proxy. */
function here(object: ManifestObject, port: number): ManifestObject {
  if (object.kind === "Service" && object.metadata.name === "guarded-webhooks") {
    return {
      ...object,
      spec: { type: "ExternalName", externalName: "localhost" },
    } as ManifestObject;
  }
  const text = JSON.stringify(
    object,
    (name, value) =>
      name === "service" && value?.name === "guarded-webhooks" ? { ...value, port } : value,
  );
  return JSON.parse(text) as ManifestObject;
}

/** Writes the files of the certificate's Secret, as a kubelet does, and returns the certificate. */
async function mount(client: Client, folder: string): Promise<string> {
  const { data = {} } = await client.get(meta.Secret, SECRET);
  for (const [name, value] of Object.entries(data)) {
    await Deno.writeTextFile(`${folder}/${name}`, atob(value));
  }
  return data["tls.crt"] ?? "";
}

async function issued(client: Client, other = ""): Promise<boolean> {
  const { data = {} } = await client.get(meta.Secret, SECRET).catch(() => ({ data: {} }));
  const certificate = (data as Record<string, string>)["tls.crt"];
  return certificate !== undefined && certificate !== other;
}

/** Returns the fingerprint of the first certificate of a PEM text. */
function fingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256;
}

/** Returns the fingerprint of the certificate that a server shows. */
async function shown(port: number): Promise<string> {
  const socket = connect({
    host: "127.0.0.1",
    port,
    servername: SERVICE,
    rejectUnauthorized: false,
  });
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}

/** Creates Disks until it is stopped, each converted, given defaults and validated by the webhooks. */
class Load implements AsyncDisposable {
  created = 0;
  readonly failures: string[] = [];
  #isStopped = false;
  readonly #running: Promise<void>;

  constructor(client: Client) {
    this.#running = (async () => {
      while (!this.#isStopped) {
        const object = {
          metadata: { generateName: "load-", namespace: "default" },
          spec: { size: "5Gi" },
        };
        await client.create(Disk("v1alpha1"), object, { dryRun: true }).then(
          ({ metadata }) => {
            assert.equal(metadata.labels?.guarded, "yes");
            this.created++;
          },
        ).catch((error: unknown) => this.failures.push(String(error)));
      }
    })();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

suite.test("webhooks and conversions are served with cert-manager's certificate, and no review fails through its renewal", async (plane) => {
  const program = findProjectTool("cert-manager");
  if (program === undefined) return;
  using client = createClient(plane.config);
  await using _certManager = await startCertManager(plane, client, program);
  const folder = await Deno.makeTempDir();
  const certificate = filesCertificate({ path: folder, hosts: [SERVICE] });
  const stop = new AbortController();
  await using server = webhookServer({
    operators: [guarded],
    certificate,
    hostname: "127.0.0.1",
    port: 0,
  });
  try {
    const manifests = manifestsOf(guarded, {
      ...NAMES,
      image: "guarded:1",
      certificates: "cert-manager",
    });
    const run = { client, clock: systemClock, signal: stop.signal, onStep: () => {} };
    const deploy = (port: number): Promise<void> =>
      deployObjects(run, manifests.map(({ object }) => here(object, port)), {
        operator: NAMES,
        wait: false,
        timeoutMs: 60_000,
      });
    await deploy(443);
    // A kubelet starts the pod when the Secret is there.
    await until(() => issued(client), "the first certificate");
    const first = await mount(client, folder);
    await server.setUp(stop.signal);
    await deploy(server.port!);
    const works = { metadata: { name: "works", namespace: "default" }, spec: { size: "5Gi" } };
    await until(
      () => client.create(Disk("v1alpha1"), works).then(() => true, () => false),
      "webhooks whose authority the injector wrote",
    );
    const stored = await client.get(Disk("v1"), "default/works");
    assert.deepEqual([stored.spec, stored.metadata.labels], [{ gibibytes: 5 }, { guarded: "yes" }]);
    const unlucky = { metadata: { name: "unlucky", namespace: "default" }, spec: { size: "13Gi" } };
    await assert.rejects(
      client.create(Disk("v1alpha1"), unlucky),
      (error) => isInvalid(error) || /is unlucky/.test(String(error)),
    );

    const load = new Load(client);
    {
      await using _load = load;
      // As cmctl renew does.
      const conditions = [{
        type: "Issuing",
        status: "True",
        reason: "ManuallyTriggered",
        message: "renewed by a test",
        lastTransitionTime: systemClock.now().toISOString(),
      }];
      const { status } = await client.get(Certificate, "guarded/guarded-serving-cert") as {
        status?: { conditions?: object[] };
      };
      const all = [...status?.conditions ?? [], ...conditions];
      await client.patchStatus(
        Certificate,
        "guarded/guarded-serving-cert",
        mergePatch({ status: { conditions: all } } as never),
      );
      await until(() => issued(client, first), "the renewed certificate");
      const second = await mount(client, folder);
      assert.notEqual(second, first);
      const before = load.created;
      const renewed = fingerprint(atob(second));
      await until(
        async () => await shown(server.port!) === renewed,
        "the renewed certificate served",
      );
      await until(() => load.created > before + 20, "reviews after the renewal");
    }
    assert.deepEqual(load.failures, []);
  } finally {
    stop.abort();
    await Deno.remove(folder, { recursive: true });
  }
});
