/**
 * The RBAC rules and the Deno flags that are generated for an operator are enough, and each is needed:
 * its program runs as a process with them, on a kube-apiserver with RBAC and as the generated service
 * account; without any one rule, and without any one flag, it fails and names the rule or the flag.
 */
import assert from "node:assert/strict";
import { type Client, createClient, requestToken } from "../../../lib/client/mod.ts";
import type { V1CustomResourceDefinition } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import * as builtin from "../../../lib/apimachinery/meta/builtin.ts";
import * as meta from "../../../lib/apimachinery/meta/mod.ts";
import {
  denoFlagsOf,
  mergeRules,
  type PolicyRule,
  type RbacManifest,
  rbacManifests,
} from "../../../lib/rbac/mod.ts";
import type { ControlPlane } from "../../../lib/testing/plane/control_plane.ts";
import { expectObject } from "../../../lib/testing/mod.ts";
import { greeter, greeterSetup, Greeting } from "../../support/operators/rbac_operator.ts";
import { until, untilAnswered } from "../../support/until.ts";
import { isNotFound } from "../../../lib/client/mod.ts";
import { realSuite } from "../suite.ts";

// Only this plugin asks for the right to update the finalizers of an owner.
const suite = realSuite({
  apiserverFlags: ["--enable-admission-plugins=OwnerReferencesPermissionEnforcement"],
});

const ROOT = new URL("../../../", import.meta.url).pathname;
const ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
const LOOPBACK = "127.0.0.1:0";

/** The objects that the tests of one program share. */
interface Place {
  readonly plane: ControlPlane;
  readonly client: Client;
  readonly folder: string;
}

function manifestsOf(name: string): RbacManifest[] {
  const setup = greeterSetup(name, LOOPBACK, LOOPBACK);
  return rbacManifests(greeter, { ...setup, namespace: name });
}

/** Applies RBAC manifests with a namespace of their own, and writes the files of the account. */
async function install({ plane, client, folder }: Place, name: string, objects: RbacManifest[]) {
  await client.create(meta.Namespace, { metadata: { name } });
  const types: meta.ResourceType[] = Object.values(builtin);
  for (const object of objects) {
    const type = types.find(({ apiVersion, kind }) =>
      apiVersion === object.apiVersion && kind === object.kind
    );
    assert(type, `there is no constant of ${object.apiVersion} ${object.kind}`);
    await client.create(type, object as unknown as meta.KubeObject, { fieldValidation: "Strict" });
  }
  const { token } = await requestToken(client, `${name}/${name}`);
  const account = `${folder}/${name}`;
  await Deno.mkdir(account);
  await Deno.writeTextFile(`${account}/token`, token);
  await Deno.writeTextFile(`${account}/ca.crt`, plane.caData);
  await Deno.writeTextFile(`${account}/namespace`, name);
}

/** Bundles the program; it reads the files of an account in this test's folder. */
async function bundle(folder: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--platform=deno",
      `--config=${ROOT}deno.json`,
      `--output=${folder}/bundle.js`,
      `${ROOT}tests/support/operators/rbac_program.ts`,
    ],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

/** A run of the program. */
class Program implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #read: Promise<void>;
  /** The standard error of the program so far. */
  said = "";

  private constructor(process: Deno.ChildProcess) {
    this.#process = process;
    this.#read = this.#listen();
  }

  /** Starts the program as the account of a name, with Deno flags. */
  static async start(
    { plane, folder }: Place,
    name: string,
    flags: readonly string[],
  ): Promise<Program> {
    const account = `${folder}/${name}`;
    const text = await Deno.readTextFile(`${folder}/bundle.js`);
    const script = `${account}/program-${crypto.randomUUID()}.js`;
    await Deno.writeTextFile(script, text.replaceAll(ACCOUNT_FOLDER, account));
    const [hostname = "", port = ""] = serverOf(plane).split(":");
    return new Program(
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-config", "--no-lock", ...flags, script, name, LOOPBACK, LOOPBACK],
        cwd: folder,
        clearEnv: true,
        env: {
          KUBERNETES_SERVICE_HOST: hostname,
          KUBERNETES_SERVICE_PORT: port,
          DENO_DIR: "/dev/null/none", // As on a read-only file system.
          NO_COLOR: "1",
        },
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).spawn(),
    );
  }

  /**
   * Returns the exit code of a program that ends by itself.
   *
   * @throws {Error} When it does not end.
   */
  async endsByItself(): Promise<number> {
    let code: number | undefined;
    void this.ended.then((ended) => code = ended);
    await until(() => code !== undefined, () => `the end of the program: ${this.said}`);
    return code!;
  }

  /** The exit code of the program. */
  get ended(): Promise<number> {
    return Promise.all([this.#process.status, this.#read]).then(([{ code }]) => code);
  }

  /** Stops the program as a pod is stopped, and returns its exit code. */
  async stop(): Promise<number> {
    try {
      this.#process.kill("SIGTERM");
    } catch { /* It has ended by itself. */ }
    return await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #listen(): Promise<void> {
    for await (const text of this.#process.stderr.pipeThrough(new TextDecoderStream())) {
      this.said += text;
    }
  }
}

/** Returns the address of the API server by another name than that of the program's own servers. */
function serverOf(plane: ControlPlane): string {
  return `localhost:${new URL(plane.url).port}`;
}

/** Returns the flags of the program, as the account of a name needs them. */
function flagsOf({ plane, folder }: Place, name: string): string[] {
  const apiServer = serverOf(plane);
  return denoFlagsOf({ ...greeterSetup(name, LOOPBACK, LOOPBACK), apiServer })
    .map((flag) => flag.replace(ACCOUNT_FOLDER, `${folder}/${name}`));
}

/** Runs the program on a new object until that is greeted, stops it, and returns what it said. */
async function greets(place: Place, name: string): Promise<void> {
  const { client } = place;
  await client.create(Greeting, {
    metadata: { namespace: "default", name },
    spec: { name: "world" },
  });
  await using program = await Program.start(place, name, flagsOf(place, name));
  const ended = program.ended.then((code) => {
    throw new Error(`it ended with ${code}: ${program.said}`);
  });
  const greeted = expectObject(client, Greeting, `default/${name}`, {
    status: { text: "Hello, world" },
  });
  await Promise.race([greeted, ended]);
  ended.catch(() => {});
  assert.equal(await program.stop(), 0, program.said);
  assert(await client.get(meta.Secret, `default/${name}`));
  const { items } = await client.list(meta.EventsEvent, { namespace: "default" });
  assert(items.some(({ regarding, reason }) => regarding?.name === name && reason === "Greeted"));
}

/** A rule of a role that is granted, and the manifests without it. */
interface WithoutRule {
  readonly rule: PolicyRule;
  readonly objects: (name: string) => RbacManifest[];
}

function eachRule(): WithoutRule[] {
  const objects = manifestsOf("greeter");
  const granted = new Set(objects.map(({ roleRef }) => roleRef?.name));
  return objects.flatMap(({ kind, metadata, rules = [] }, at) =>
    kind.endsWith("Role") && granted.has(metadata.name)
      ? rules.map((rule, index) => ({
        rule,
        objects: (name: string) =>
          manifestsOf(name).map((object, place) =>
            place === at ? { ...object, rules: object.rules!.toSpliced(index, 1) } : object
          ),
      }))
      : []
  );
}

/** Returns the rules that a line of a program names as JSON. */
function rulesIn(said: string): PolicyRule[] {
  const [, list = ""] = / with (\{.*\})$/m.exec(said) ?? [];
  return mergeRules(JSON.parse(`[${list}]`) as PolicyRule[]);
}

/** Asserts that a program that lacks a rule ends, or fails to work, with a line that names the rule. */
async function failsWithout(place: Place, { rule, objects }: WithoutRule, name: string) {
  await install(place, name, objects(name));
  await using program = await Program.start(place, name, flagsOf(place, name));
  const [resource = ""] = rule.resources ?? [];
  if (resource.endsWith("/finalizers")) {
    // The admission plugin alone asks for this right, when the child is written.
    const isRefused = (): boolean => /cannot set blockOwnerDeletion/.test(program.said);
    await until(isRefused, () => `a refusal: ${program.said}`);
    return;
  }
  assert.notEqual(await program.endsByItself(), 0, program.said);
  const [group = ""] = rule.apiGroups ?? [];
  if (group === "authentication.k8s.io" || group === "authorization.k8s.io") {
    assert(program.said.includes(`may not create ${resource}.${group}`), program.said);
    return;
  }
  const named = (names: readonly string[] = []): string[] =>
    names.map((each) => each === "greeter" ? name : each);
  const expected = rule.resourceNames
    ? { ...rule, resourceNames: named(rule.resourceNames) }
    : rule;
  assert.deepEqual(rulesIn(program.said), mergeRules([expected]), program.said);
}

/** Returns the flags that permit something, each without one of its values. */
function eachFlag(flags: readonly string[]): { without: string; flags: string[] }[] {
  return flags.filter((flag) => flag.startsWith("--allow-")).flatMap((flag) => {
    const others = flags.filter((each) => each !== flag);
    const [name = "", list = ""] = flag.split("=");
    const values = list.split(",");
    if (values.length === 1) return [{ without: flag, flags: others }];
    return values.map((value) => ({
      without: `${name}=${value}`,
      flags: [...others, `${name}=${values.filter((each) => each !== value).join(",")}`],
    }));
  });
}

/** Runs tasks, a few at a time. */
async function inTurns(tasks: readonly (() => Promise<void>)[], atOnce: number): Promise<void> {
  const left = [...tasks];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let task = left.shift(); task; task = left.shift()) await task();
  }));
}

suite.test("the generated rules and flags of an operator suffice, and without any one of them its program fails and names it", async (plane) => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    using client = createClient(plane.config);
    const place = { plane, client, folder };
    for (const crd of greeter.crds) {
      await client.create(
        meta.CustomResourceDefinition,
        crd as unknown as V1CustomResourceDefinition,
      );
    }
    await client.create(meta.ConfigMap, {
      metadata: { namespace: "default", name: "words" },
      data: { hello: "Hello" },
    });
    await bundle(folder);
    await untilAnswered(() => client.list(Greeting), isNotFound);
    await install(place, "greeter", manifestsOf("greeter"));
    await greets(place, "greeter");

    const rules = eachRule();
    assert(rules.length >= 10, `${rules.length} rules`);
    await client.create(Greeting, {
      metadata: { namespace: "default", name: "refused" },
      spec: { name: "nobody" },
    });
    const failures: string[] = [];
    const noted = (what: string, test: () => Promise<void>) => async (): Promise<void> => {
      await test().catch((error) => failures.push(`without ${what}: ${error.message}`));
    };
    const flags = eachFlag(flagsOf(place, "greeter"));
    assert(flags.length >= 5, `${flags.length} flags`);
    await inTurns([
      ...rules.map((each, at) =>
        noted(JSON.stringify(each.rule), () => failsWithout(place, each, `greeter-${at}`))
      ),
      ...flags.map((each) =>
        noted(each.without, async () => {
          await using program = await Program.start(place, "greeter", each.flags);
          assert.notEqual(await program.endsByItself(), 0, program.said);
          const [name = ""] = each.without.split("=");
          assert(program.said.includes(name), program.said);
        })
      ),
    ], 3);
    assert.deepEqual(failures, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
