import assert from "node:assert/strict";
import { type Clock, systemClock } from "@xca/apimachinery/base";
import { ApiServer } from "./server.ts";
import { call } from "../../tests/support/in_process/call_server.ts";

/**
 * These tests check which of two requests is answered first, instead of measuring time: a server
 * that blocks the event loop answers the short request last.
 */

const NAMESPACE = "/api/v1/namespaces/default";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const MAPS = "/apis/example.org/v1/namespaces/default/maps";

/** Returns a CustomResourceDefinition whose objects have a list of the given schema. */
function definition(plural: string, list: unknown) {
  const properties = { spec: { type: "object", properties: { list } } };
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: "example.org",
      scope: "Namespaced",
      names: { plural, kind: plural.toUpperCase() },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

const LIST_MAP = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
  items: {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, value: { type: "string" } },
  },
};

/** Creates the CustomResourceDefinition of the resource `maps`, and waits until it is served. */
async function defineMaps(server: ApiServer, list: unknown): Promise<void> {
  const { code } = await call(server, "POST", CRDS, definition("maps", list));
  assert.equal(code, 201);
  await untilServed(server, MAPS);
}

/**
 * Waits until the server serves a path, since CustomResourceDefinitions are established after their
 * creation.
 */
async function untilServed(server: ApiServer, path: string): Promise<void> {
  for (;;) {
    const answer = await server.fetch(new Request(`https://x${path}`));
    await answer.body?.cancel();
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

function mapOf(count: number, value: string) {
  const list = Array.from({ length: count }, (_, i) => ({ name: `n${i}`, value }));
  return { apiVersion: "example.org/v1", kind: "MAPS", metadata: { name: "a" }, spec: { list } };
}

/**
 * Reports whether timers of the test run and another request is answered before a request ends. The
 * other request is repeated, since a busy machine may interrupt it.
 */
async function othersHaveTheirTurn(
  server: ApiServer,
  request: () => Promise<unknown>,
): Promise<boolean> {
  let ended = false;
  let answered = false;
  const done = request().finally(() => ended = true);
  done.catch(() => {}); // Awaited below.
  while (!ended && !answered) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (ended) break;
    await call(server, "GET", NAMESPACE);
    answered = !ended;
  }
  await done;
  return answered;
}

async function makeConfigMaps(server: ApiServer, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const metadata = { name: `c${i}`, labels: { number: String(i) } };
    await call(server, "POST", `${NAMESPACE}/configmaps`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
    });
  }
}

Deno.test("a deletion of many objects yields to other requests, and stops with its client", async () => {
  using server = await ApiServer.start();
  await makeConfigMaps(server, 2000);
  const abort = new AbortController();
  const path = `https://x${NAMESPACE}/configmaps`;
  const request = new Request(path, { method: "DELETE", signal: abort.signal });
  const aborted = await othersHaveTheirTurn(server, () => {
    const answered = server.fetch(request);
    setTimeout(() => abort.abort(), 5);
    return answered;
  });
  assert.equal(aborted, true);
  const left = (await call(server, "GET", `${NAMESPACE}/configmaps`)).body.items.length;
  assert.ok(left > 0, "a deletion whose caller has gone goes no further");
  const whole = () => call(server, "DELETE", `${NAMESPACE}/configmaps`);
  assert.equal(await othersHaveTheirTurn(server, whole), true);
  assert.equal((await call(server, "GET", `${NAMESPACE}/configmaps`)).body.items.length, 0);
});

Deno.test("watches with selectors over many objects yield, and report what each selects", async () => {
  using server = await ApiServer.start();
  await makeConfigMaps(server, 2000);
  const query = "watch=1&resourceVersion=0&allowWatchBookmarks=true&timeoutSeconds=1";
  const open = async (selector: string): Promise<string> => {
    const path = `https://x${NAMESPACE}/configmaps?${query}&${selector}`;
    const answer = await server.fetch(new Request(path));
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("BOOKMARK")) text += (await reader.read()).value ?? "BOOKMARK";
    await reader.cancel();
    return [...text.matchAll(/"name":"(c\d+)"/g)].map(([, name]) => name).join(" ");
  };
  let shown: string[] = [];
  const all = async () => {
    shown = await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => open(`labelSelector=number!=${i},number>1997`)),
      open("labelSelector=number in (5,1500)"),
    ]);
  };
  assert.equal(await othersHaveTheirTurn(server, all), true);
  assert.equal(shown[0], "c1998 c1999");
  assert.equal(shown.at(-1), "c1500 c5");
});

Deno.test("a rule over many items yields, and refuses invalid items", async () => {
  using server = await ApiServer.start();
  const rule = { rule: "self.size() < 8 && [1, 2, 3].all(x, x > 0)" };
  const items = { type: "string", maxLength: 20, "x-kubernetes-validations": [rule] };
  const list = { type: "array", maxItems: 20_000, items };
  await defineMaps(server, list);
  const object = (last: string) => ({
    ...mapOf(0, ""),
    spec: { list: [...Array.from({ length: 10_000 }, (_, i) => `s${i}`), last] },
  });
  let refused: Awaited<ReturnType<typeof call>> | undefined;
  const create = async () => {
    refused = await call(server, "POST", MAPS, object("much too long"));
  };
  assert.equal(await othersHaveTheirTurn(server, create), true);
  assert.equal(refused!.code, 422);
  assert.match(refused!.body.message, /spec\.list\[10000\]: Invalid value/);
  assert.equal((await call(server, "POST", MAPS, object("short"))).code, 201);
});

Deno.test("an apply of many items yields, and restarts after a concurrent write", async () => {
  using server = await ApiServer.start({ clock: clockOfLooks() });
  await defineMaps(server, LIST_MAP);
  const apply = (manager: string, value: string) =>
    call(
      server,
      "PATCH",
      `${MAPS}/a?fieldManager=${manager}&force=true`,
      mapOf(2000, value),
      "application/apply-patch+yaml",
    );
  assert.equal(await othersHaveTheirTurn(server, () => apply("one", "a")), true);
  // Either request may end first; the writes are repeated until the short one does.
  let overtaken = false;
  for (let attempt = 0; !overtaken && attempt < 50; attempt++) {
    let ended = false;
    const value = `value-${attempt}`;
    const applied = apply("two", value).finally(() => ended = true);
    await new Promise((resolve) => setTimeout(resolve, 0));
    const labels = { metadata: { labels: { written: value } } };
    const merged = await call(server, "PATCH", `${MAPS}/a`, labels, "application/merge-patch+json");
    assert.equal(merged.code, 200);
    overtaken = !ended;
    const { code, body } = await applied;
    assert.equal(code, 200);
    assert.equal(body.spec.list[1999].value, value);
    if (overtaken) assert.equal(body.metadata.labels.written, value, "no write is lost");
  }
  assert(overtaken, "no short write was answered first");
});

Deno.test("a JSON patch of many operations yields to other requests", async () => {
  using server = await ApiServer.start();
  await makeConfigMaps(server, 1);
  const operations = Array.from(
    { length: 9999 },
    (_, i) => ({ op: "add", path: `/data/k${i}`, value: "v" }),
  );
  const path = `${NAMESPACE}/configmaps/c0`;
  await call(server, "PATCH", path, { data: { k: "v" } }, "application/merge-patch+json");
  const patch = () => call(server, "PATCH", path, operations, "application/json-patch+json");
  assert.equal(await othersHaveTheirTurn(server, patch), true);
  const { body } = await call(server, "GET", path);
  assert.equal(Object.keys(body.data).length, 10_000);
});

Deno.test("a large definition and large OpenAPI documents yield to other requests", async () => {
  using server = await ApiServer.start();
  const properties = Object.fromEntries(
    Array.from({ length: 4000 }, (_, i) => [`f${i}`, { type: "string", description: "text" }]),
  );
  const large = definition("larges", { type: "object", properties });
  let code = 0;
  const create = async () => {
    code = (await call(server, "POST", CRDS, large)).code;
  };
  assert.equal(await othersHaveTheirTurn(server, create), true);
  assert.equal(code, 201);
  for (let i = 0; i < 40; i++) await call(server, "POST", CRDS, definition(`d${i}`, LIST_MAP));
  await untilServed(server, "/apis/example.org/v1/namespaces/default/d39");
  const document = () => call(server, "GET", "/openapi/v3/apis/example.org/v1");
  assert.equal(await othersHaveTheirTurn(server, document), true);
});

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";

/** Creates a ValidatingAdmissionPolicy for ConfigMaps, with a binding that denies. */
async function denyConfigMaps(server: ApiServer, spec: object): Promise<void> {
  const rule = {
    operations: ["*"],
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["configmaps"],
  };
  const policy = await call(server, "POST", `${ADMISSION}/validatingadmissionpolicies`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "deny" },
    spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
  });
  assert.equal(policy.code, 201);
  const binding = await call(server, "POST", `${ADMISSION}/validatingadmissionpolicybindings`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "deny" },
    spec: { policyName: "deny", validationActions: ["Deny"] },
  });
  assert.equal(binding.code, 201);
}

/** A CEL expression that is true for every ConfigMap, and slow for one with many keys. */
const COSTLY = "object.data.all(a, object.data.exists(b, a == b))";

const COSTLY_POLICIES: Record<string, object> = {
  "rules": { validations: [{ expression: `!(${COSTLY})`, message: "costly" }] },
  "variables": {
    variables: [{ name: "costly", expression: COSTLY }],
    validations: [{ expression: "!variables.costly", message: "costly" }],
  },
  "match conditions": {
    matchConditions: [{ name: "costly", expression: COSTLY }],
    validations: [{ expression: "false", message: "costly" }],
  },
};

/**
 * Returns a fake clock that advances by one millisecond (or `stepMs`) per read, so that work yields
 * after some of its steps.
 */
function clockOfLooks(stepMs = 1): Clock {
  let looks = 0;
  return {
    now: () => systemClock.now(),
    monotonicMs: () => stepMs * looks++,
    after: (delayMs, callback) => systemClock.after(delayMs, callback),
  };
}

/** Returns how often timers of the test run before a request ends. */
async function turnsDuring(request: () => Promise<unknown>): Promise<number> {
  let ended = false;
  let turns = 0;
  const done = request().finally(() => ended = true);
  for (; !ended; turns++) await new Promise((resolve) => setTimeout(resolve, 0));
  await done;
  return turns;
}

for (const [name, spec] of Object.entries(COSTLY_POLICIES)) {
  Deno.test(`a policy with costly ${name} yields during evaluation, and denies what it refuses`, async () => {
    using server = await ApiServer.start({ clock: clockOfLooks(), controllers: false });
    await denyConfigMaps(server, spec);
    const data = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, "value"]));
    let answer: Awaited<ReturnType<typeof call>> | undefined;
    const turns = await turnsDuring(async () => {
      answer = await call(server, "POST", `${NAMESPACE}/configmaps`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "denied" },
        data,
      });
    });
    assert.equal(answer!.code, 422);
    assert.match(answer!.body.message, /denied request: costly$/);
    assert(turns > 8, `${turns} turns`);
  });
}

Deno.test("the validation of a policy with many expressions yields", async () => {
  using server = await ApiServer.start({ clock: clockOfLooks(), controllers: false });
  const validations = Array.from({ length: 100 }, (_, i) => ({
    expression: `object.metadata.name != 'a${i}'`,
  }));
  const turns = await turnsDuring(() => denyConfigMaps(server, { validations }));
  assert(turns > 8, `${turns} turns`);
});

Deno.test("the parser of a large YAML body yields", async () => {
  using server = await ApiServer.start({ clock: clockOfLooks(), controllers: false });
  const data = Array.from({ length: 3000 }, (_, i) => `  k${i}: value ${i}\n`).join("");
  const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large}\ndata:\n${data}`;
  const turns = await turnsDuring(async () => {
    const path = `https://x${NAMESPACE}/configmaps`;
    const headers = { "content-type": "application/yaml" };
    const answer = await server.fetch(new Request(path, { method: "POST", body, headers }));
    assert.equal(answer.status, 201);
    await answer.body?.cancel();
  });
  assert(turns > 8, `${turns} turns`);
});

Deno.test("the search of a printer column in a large object yields, in lists and in watches", async () => {
  using server = await ApiServer.start({ clock: clockOfLooks(), controllers: false });
  const crd = definition("maps", { type: "array", items: LOOSE });
  const [version] = crd.spec.versions as Record<string, unknown>[];
  const column = { name: "c", type: "string", jsonPath: ".spec..a..a..[0]..none" };
  version!.additionalPrinterColumns = [column, { ...column, jsonPath: ".spec.list[0].a" }];
  assert.equal((await call(server, "POST", CRDS, crd)).code, 201);
  await untilServed(server, MAPS);
  const list = Array.from({ length: 3000 }, (_, a) => ({ a, b: [{ a }] }));
  await call(server, "POST", MAPS, { ...mapOf(0, ""), spec: { list } });
  for (const query of ["", "/a", "?watch=1&resourceVersion=0"]) {
    let text = "";
    const turns = await turnsDuring(async () => {
      const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
      const answer = await server.fetch(new Request(`https://x${MAPS}${query}`, { headers }));
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      while (!text.includes('"cells"')) text += (await reader.read()).value ?? '"cells"';
      await reader.cancel();
    });
    assert.match(text, /"cells":\["a",null,"0"\]/);
    assert.ok(turns > 8, `${turns} turns for ${query}`);
  }
});

const LOOSE = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/**
 * Returns a clock as {@linkcode clockOfLooks} does, and a function that returns how often work has
 * waited for its turn.
 */
function clockOfWaits(stepMs = 1): { clock: Clock; waits: () => number } {
  let count = 0;
  const clock = clockOfLooks(stepMs);
  const after: Clock["after"] = (delayMs, callback) => {
    count++;
    return clock.after(delayMs, callback);
  };
  return { clock: { ...clock, after }, waits: () => count };
}

const MANY = 12_000;
/** The least number of waits of the refusal of {@linkcode MANY} parts. */
const LEAST_WAITS = 25;
const texts = (prefix: string): string[] => Array.from({ length: MANY }, (_, i) => `${prefix}${i}`);

/** Requests with many parts, each with the path, the object and what the answer must say. */
const MANY_PARTS: Record<string, readonly [string, object, RegExp]> = {
  "invalid labels": ["configmaps", {
    metadata: { name: "a", labels: Object.fromEntries(texts("/").map((key) => [key, "!"])) },
  }, /"\/11999": prefix part must be non-empty.*"field":"metadata.labels"/],
  "invalid annotations": ["configmaps", {
    metadata: { name: "a", annotations: Object.fromEntries(texts("/").map((key) => [key, ""])) },
  }, /"\/11999": prefix part must be non-empty/],
  "invalid finalizers": [
    "configmaps",
    { metadata: { name: "a", finalizers: texts("!") } },
    /"!11999": name part must consist of/,
  ],
  "invalid owners": ["configmaps", {
    metadata: { name: "a", ownerReferences: texts("o").map((uid) => ({ kind: "Pod", uid })) },
  }, /ownerReferences\[11999\].apiVersion: Required value/],
  "addresses": ["endpoints", {
    metadata: { name: "a" },
    subsets: [{ addresses: texts("").map((ip) => ({ ip })), ports: [{ port: 1 }] }],
  }, /subsets\[0\].addresses\[11999\].ip: Invalid value/],
};

for (const [name, [resource, object, says]] of Object.entries(MANY_PARTS)) {
  Deno.test(`the refusal of many ${name} yields and names each`, async () => {
    const { clock, waits } = clockOfWaits();
    using server = await ApiServer.start({ clock, controllers: false });
    const before = waits();
    const { code, body } = await call(server, "POST", `${NAMESPACE}/${resource}`, object);
    assert.equal(code, 422);
    assert.equal(body.code, 422);
    assert.match(`${body.message}${JSON.stringify(body.details.causes.at(-1))}`, says);
    assert.ok(waits() - before > LEAST_WAITS, `${waits() - before} waits`);
  });
}

Deno.test("the refusal of many list items of a custom object yields and names each", async () => {
  const { clock, waits } = clockOfWaits();
  using server = await ApiServer.start({ clock, controllers: false });
  await defineMaps(server, LIST_MAP);
  const list = Array.from({ length: MANY }, (_, name) => ({ name }));
  const before = waits();
  const { code, body } = await call(server, "POST", MAPS, { ...mapOf(0, ""), spec: { list } });
  assert.equal(code, 422);
  assert.equal(body.details.causes.length, MANY);
  assert.match(body.message, /spec\.list\[11999\]\.name: Invalid value: "integer"/);
  assert.ok(waits() - before > LEAST_WAITS, `${waits() - before} waits`);
});

Deno.test("the garbage collection of an object with many owners yields", async () => {
  const { clock, waits } = clockOfWaits(20);
  using server = await ApiServer.start({ clock });
  const ownerReferences = texts("o").map((name) => ({
    apiVersion: "v1",
    kind: "Pod",
    name,
    uid: name,
  }));
  const path = `${NAMESPACE}/configmaps`;
  const made = await call(server, "POST", path, { metadata: { name: "a", ownerReferences } });
  assert.equal(made.code, 201);
  const before = waits();
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  assert.ok(waits() - before > 0, `${waits() - before} waits`);
});
