import assert from "node:assert/strict";
import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import {
  CONTROL_PLANE_VERSION,
  findControlPlaneAssets,
} from "../../lib/testing/plane/control_plane_assets.ts";
import { FaultProxy } from "../../lib/testing/faults/fault_proxy.ts";
import { until } from "../support/until.ts";
import { kubectl } from "./kubectl.ts";
import { realSuite, realTest } from "./suite.ts";

const suite = realSuite({ audit: true });
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

interface Answer {
  readonly code?: number;
  readonly reason?: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

async function get(plane: ControlPlane, path: string): Promise<{ status: number; body: Answer }> {
  const response = await plane.fetch(path);
  return { status: response.status, body: await response.json() };
}

async function createConfigMap(plane: ControlPlane, name: string): Promise<Answer> {
  const response = await plane.fetch(CONFIG_MAPS, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name } }),
  });
  const answer = await response.json();
  assert.equal(response.status, 201, JSON.stringify(answer));
  return answer;
}

/** Reports whether a process exists. */
function runs(pid: number): boolean {
  return new Deno.Command("/bin/sh", { args: ["-c", `kill -0 ${pid}`], stderr: "null" })
    .outputSync().success;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

suite.test("kubectl works with the administrator's kubeconfig", async (plane) => {
  const names = await kubectl(plane, ["get", "namespaces", "-o", "name"]);
  assert.match(names, /^namespace\/default$/m);
});

suite.test("the built server is of the release that it was built from", async (plane) => {
  if (Deno.env.get("KUBEBUILDER_ASSETS")) return;
  const response = await plane.fetch("/version");
  assert.equal((await response.json()).gitVersion, CONTROL_PLANE_VERSION);
});

suite.test("a pod can be created without any controller", async (plane) => {
  const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
  const manifest = JSON.stringify({ apiVersion: "v1", kind: "Pod", ...pod });
  assert.equal(await kubectl(plane, ["create", "-f", "-"], { stdin: manifest }), "pod/p created\n");
});

suite.test("a user of addUser() has its name and groups, and only the granted rights", async (plane) => {
  const user = await plane.addUser('jane "x":y', ["dev:a", "ops"]);
  const who = JSON.parse(await kubectl(plane, ["auth", "whoami", "-o", "json"], { user }));
  assert.equal(who.status.userInfo.username, 'jane "x":y');
  assert.deepEqual(who.status.userInfo.groups, ["dev:a", "ops", "system:authenticated"]);
  await assert.rejects(kubectl(plane, ["get", "pods"], { user }), /Forbidden/);
  await kubectl(plane, ["create", "role", "r", "--verb=list", "--resource=pods"]);
  await kubectl(plane, ["create", "rolebinding", "b", "--role=r", "--group=dev:a"]);
  await until(async () => {
    return await kubectl(plane, ["auth", "can-i", "list", "pods"], { user })
      .then((answer) => answer.trim() === "yes", () => false);
  }, "the role binding counts");
});

suite.test("a request without credentials is refused", async (plane) => {
  using client = Deno.createHttpClient({ caCerts: [plane.caData], http2: false });
  const response = await fetch(`${plane.url}/api`, { client });
  assert.equal(response.status, 401);
  await response.body?.cancel();
});

suite.test("the audit log records user, request and response status", async (plane) => {
  await get(plane, `${CONFIG_MAPS}?labelSelector=audited`);
  const events = (await plane.auditEvents()).filter((event) =>
    event.requestURI.endsWith("=audited")
  );
  assert.equal(events.length, 1);
  const [event] = events;
  assert.equal(event?.stage, "ResponseComplete");
  assert.equal(event?.verb, "list");
  assert.equal(event?.user.username, "admin");
  assert.equal(event?.objectRef?.resource, "configmaps");
  assert.equal(event?.responseStatus?.code, 200);
});

suite.test("the API server can be reached through a proxy with the same authority", async (plane) => {
  await using proxy = FaultProxy.start({ target: plane.url });
  using client = Deno.createHttpClient({
    caCerts: [plane.caData],
    cert: plane.admin.cert,
    key: plane.admin.key,
    http2: false,
  });
  const response = await fetch(proxy.urlOf(`${plane.url}/api`), { client });
  assert.equal(response.status, 200);
  await response.body?.cancel();
  assert.equal(proxy.accepted, 1);
});

suite.test("a restart keeps data, address and certificates, and starts another process", async (plane) => {
  const before = plane.pids;
  const made = await createConfigMap(plane, "survivor");
  await plane.restartApiserver();
  const { body } = await get(plane, `${CONFIG_MAPS}/survivor`);
  assert.equal(body.metadata.resourceVersion, made.metadata.resourceVersion);
  assert.equal(plane.pids.etcd, before.etcd);
  assert.notEqual(plane.pids.apiserver, before.apiserver);
  assert.match(await kubectl(plane, ["get", "configmaps"]), /survivor/);
});

suite.test("a killed API server refuses connections until it is started again", async (plane) => {
  await plane.killApiserver();
  assert.equal(plane.pids.apiserver, undefined);
  await assert.rejects(plane.fetch("/readyz"));
  await plane.startApiserver();
  assert.equal((await get(plane, "/api/v1/namespaces/default")).status, 200);
  await assert.rejects(plane.startApiserver(), /already runs/);
});

suite.test("a paused API server answers no request, and continues when resumed", async (plane) => {
  await get(plane, "/api");
  await plane.pauseApiserver();
  let answered = false;
  const answer = get(plane, "/api").then((got) => {
    answered = true;
    return got;
  });
  await delay(200);
  const early = answered;
  // Before anything is said of it: who comes next has the same server.
  await plane.resumeApiserver();
  assert.equal(early, false);
  assert.equal((await answer).status, 200);
});

suite.test("after expireHistory() old watches and old continue tokens get 410", async (plane) => {
  for (const name of ["old-1", "old-2", "old-3"]) await createConfigMap(plane, name);
  const first = await get(plane, `${CONFIG_MAPS}?limit=1`);
  const from = first.body.metadata.resourceVersion;
  const token = encodeURIComponent(first.body.metadata.continue!);
  await createConfigMap(plane, "between");

  const revision = await plane.expireHistory();
  assert.ok(BigInt(revision) > BigInt(from));
  const watch = await plane.fetch(
    `${CONFIG_MAPS}?watch=1&timeoutSeconds=60&resourceVersion=${from}`,
  );
  assert.equal(watch.status, 200);
  const [line] = (await watch.text()).split("\n");
  const event = JSON.parse(line!) as { type: string; object: Answer };
  assert.deepEqual([event.type, event.object.code, event.object.reason], ["ERROR", 410, "Expired"]);
  const page = await get(plane, `${CONFIG_MAPS}?limit=1&continue=${token}`);
  assert.deepEqual([page.status, page.body.reason], [410, "Expired"]);
  assert.ok(page.body.metadata.continue, "the refusal carries a token to go on inconsistently");
});

realTest("without a watch cache, compact() alone makes old watches get 410", async () => {
  await using plane = await ControlPlane.start({
    apiserverFlags: ["--watch-cache-sizes=configmaps#0"],
  });
  const made = await createConfigMap(plane, "a");
  await createConfigMap(plane, "b");
  await plane.compact();
  const from = made.metadata.resourceVersion;
  const watch = await plane.fetch(
    `${CONFIG_MAPS}?watch=1&timeoutSeconds=60&resourceVersion=${from}`,
  );
  assert.match(await watch.text(), /"reason":"Expired","code":410/);
  await assert.rejects(plane.auditEvents(), /started without `audit`/);
});

realTest(
  "a failed start reports the reason with the end of the log, and leaves no files",
  async () => {
    const error = await ControlPlane.start({ apiserverFlags: ["--no-such-flag"] }).then(
      () => assert.fail("it started"),
      (error: Error) => error,
    );
    assert.match(error.message, /^Cannot start kube-apiserver: it ended\n/);
    assert.match(error.message, /unknown flag: --no-such-flag/);
  },
);

realTest("a start without etcd fails at once, not at its timeout", async () => {
  const assets = { ...findControlPlaneAssets(), etcd: "/no/such/etcd" };
  await assert.rejects(ControlPlane.start({ assets, startTimeoutMs: 1e9 }), (error) => {
    assert.match(String(error), /Cannot start kube-apiserver: etcd ended\n/);
    assert.match(String(error), /the end of etcd\.log:\n.*\/no\/such\/etcd/);
    return true;
  });
});

realTest("disposing ends both processes and removes the folder", async () => {
  let left: { etcd: number | undefined; apiserver: number | undefined; dir: string };
  {
    await using plane = await ControlPlane.start();
    left = { ...plane.pids, dir: plane.dir };
    assert.ok(runs(left.etcd!) && runs(left.apiserver!));
  }
  assert.deepEqual([runs(left.etcd!), runs(left.apiserver!)], [false, false]);
  assert.equal(exists(left.dir), false);
});

realTest(
  "a test process killed by SIGKILL leaves neither processes nor the folder",
  async () => {
    const program = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", new URL("crashing_program.ts", import.meta.url).pathname],
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const reader = program.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) assert.fail("the program ended before it had a control plane");
      text += value;
    }
    const left = JSON.parse(text) as { etcd: number; apiserver: number; dir: string };
    assert.ok(runs(left.etcd) && runs(left.apiserver));

    program.kill("SIGKILL");
    await program.status;
    await reader.cancel();
    await until(() => !runs(left.etcd) && !runs(left.apiserver), "both processes are gone");
    await until(() => !exists(left.dir), "the folder is gone");
  },
);
