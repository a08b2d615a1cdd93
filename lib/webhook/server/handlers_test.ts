/**
 * Handlers that misbehave: whatever one throws, returns or never does, the request is refused, the reason
 * is in the answer, and the server serves the next one.
 */
import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { Namespace } from "@xca/apimachinery/meta";
import type { AdmissionContext, Validator } from "../admission/admission_context.ts";
import { deny, field } from "../admission/denial.ts";
import { webhookFor } from "../admission/webhook_builder.ts";
import { Desktop, desktop, RecordedMetrics, reviewOf, send, serve } from "./webhook_fakes_test.ts";

const VALIDATE = "/validate-example-com-v1-desktop";
const MUTATE = "/mutate-example-com-v1-desktop";

type Create = NonNullable<Validator<Desktop>["create"]>;

/** Invalid handlers, by their behaviour. */
const BAD: Readonly<Record<string, { readonly run: () => unknown; readonly message: RegExp }>> = {
  "throws an error": {
    run: () => {
      throw new TypeError("Cannot read properties of undefined");
    },
    message: /^the validator of Desktop failed: Cannot read properties of undefined$/,
  },
  "rejects": { run: () => Promise.reject(new Error("no database")), message: /no database$/ },
  "throws nothing": {
    run: () => Promise.reject(undefined),
    message: /failed: (undefined|the thrown error has no message)$/,
  },
  "throws an object without a text": {
    run: () => Promise.reject(Object.create(null)),
    message: /an object that has no text/,
  },
  "returns true": { run: () => true, message: /returned a value that is of type boolean; return/ },
  "returns false": { run: () => false, message: /of type boolean/ },
  "returns null": { run: () => null, message: /a value that is null/ },
  "returns a text": { run: () => "forbidden", message: /of type string/ },
  "returns an answer of its own": { run: () => ({ allowed: true }), message: /of type object/ },
  "returns a list of texts": { run: () => ["spec"], message: /an array/ },
  "returns a proxy that throws": {
    run: () =>
      new Proxy({}, {
        get: () => {
          throw new Error("trap");
        },
      }),
    message: /trap|of type object/,
  },
};

Deno.test("I29 a validator that throws or returns something else refuses the request with code 500 and without a stack", async () => {
  const metrics = new RecordedMetrics();
  for (const [name, { run, message }] of Object.entries(BAD)) {
    const webhook = webhookFor(Desktop).validator({ create: run as unknown as Create });
    await using server = await serve({ webhooks: [webhook], metrics });
    const { code, response } = await send(server, VALIDATE, reviewOf());
    assert.deepEqual([code, response.allowed, response.status.code], [200, false, 500], name);
    assert.equal(response.uid, "7f1c", name);
    assert.match(response.status.message, message, `${name}: ${response.status.message}`);
    assert.doesNotMatch(response.status.message, /\bat \S+:\d|\n/, name);
  }
  assert.equal(metrics.failures.length, Object.keys(BAD).length);
});

/** Denials that cannot be sent unchanged, by their problem. */
const UNSENDABLE: Readonly<Record<string, () => unknown>> = {
  "a problem with a big integer": () => [{ ...field.required("spec.x"), value: 10n }],
  "a problem that contains itself": () => {
    const problem: Record<string, unknown> = { ...field.required("spec.x") };
    problem.self = problem;
    return [problem];
  },
  "a problem whose toJSON throws": () => [{
    ...field.required("spec.x"),
    toJSON: () => {
      throw new Error("no JSON");
    },
  }],
  "a reason that is no text": () => deny("no", { reason: 10n as never }),
  "a code that was replaced": () => Object.assign(deny("no"), { code: 10n }),
  "a code of success": () => Object.assign(deny("no"), { code: 200 }),
  "a mark without the fields": () => ({ [Symbol.for("@xca/operator/DenialError")]: true }),
};

Deno.test("I29 a denial that JSON cannot hold is a refusal, returned or thrown, also where a failed call is ignored", async () => {
  for (const [name, make] of Object.entries(UNSENDABLE)) {
    for (const how of ["returned", "thrown"] as const) {
      const create = (): unknown => {
        if (how === "returned") return make();
        const made = make();
        throw Array.isArray(made) ? deny(made) : made;
      };
      const webhook = webhookFor(Desktop, { failurePolicy: "Ignore" })
        .validator({ create: create as Create });
      await using server = await serve({ webhooks: [webhook] });
      const { code, response } = await send(server, VALIDATE, reviewOf());
      // The API server takes another status code of HTTP for a failed call, which it may ignore.
      assert.deepEqual([code, response.allowed, response.uid], [200, false, "7f1c"], name);
      assert.match(response.status.message, /is invalid: spec\.x|its denial has a/, name);
      assert(response.status.code >= 400, name);
    }
  }
});

Deno.test("I29 a handler that never answers is refused before the API server stops waiting, and its signal is aborted", async () => {
  const clock = new FakeClock();
  const started = Promise.withResolvers<AbortSignal>();
  const webhook = webhookFor(Desktop).validator({
    create: ({ signal }) => {
      started.resolve(signal);
      return new Promise(() => {});
    },
  });
  await using server = await serve({ webhooks: [webhook], clock });
  const answering = send(server, `${VALIDATE}?timeout=2s`, reviewOf());
  const signal = await started.promise;
  await clock.advance(1_799);
  assert.equal(signal.aborted, false);
  await clock.advance(1);
  const { response } = await answering;
  assert.deepEqual([response.allowed, response.status.code], [false, 504]);
  assert.match(response.status.message, /gave no answer within 1\.8 s$/);
  assert(signal.aborted);
});

Deno.test("I29 a defaulter cannot change the identity of an object, nor make it other than JSON", async () => {
  const cases: [run: (object: Desktop) => unknown, message: RegExp][] = [
    [(object) => void (object.metadata.name = "other"), /changed \/metadata\/name, which is fixed/],
    [(object) => void (object.metadata.namespace = "other"), /\/metadata\/namespace/],
    [(object) => void (object.kind = "Pod"), /changed \/kind/],
    [(object) => void Reflect.deleteProperty(object, "metadata"), /changed \/metadata,/],
    [() => ({}), /changed \/apiVersion/],
    [() => [], /a value that is an array; .*the changed Desktop, or deny\("\.\.\."\) to refuse/],
    [() => new Error("no backend"), /the defaulter of Desktop failed: no backend/],
    [() => 7, /of type number/],
    [() => null, /a value that is null/],
    [(object) => void (object.spec.replicas = NaN), /\/spec\/replicas is NaN, which JSON/],
    [
      (object) => void Object.assign(object.spec, { at: new Date(0) }),
      /\/spec\/at is an object of class Date/,
    ],
    [(object) => void Object.assign(object.spec, { big: 1n }), /\/spec\/big is bigint/],
    [(object) => void Object.assign(object.spec, { self: object }), /./],
  ];
  for (const [run, message] of cases) {
    const webhook = webhookFor(Desktop).defaulter(({ object }) => run(object) as void);
    await using server = await serve({ webhooks: [webhook] });
    const { response } = await send(server, MUTATE, reviewOf());
    assert.deepEqual([response.allowed, response.status.code, response.patch], [
      false,
      500,
      undefined,
    ]);
    assert.match(response.status.message, message);
  }
});

Deno.test("webhooks: the changes of a defaulter are a JSON patch; its warnings and denials are answered", async () => {
  const webhook = webhookFor(Desktop)
    .defaulter(({ object, warn, user, dryRun, key, operation }) => {
      warn(`${user.username} ${operation} ${key}${dryRun ? " dry" : ""}`);
      if (object.spec.image === "") throw deny("no image", { code: 409, reason: "Conflict" });
      return { ...object, spec: { ...object.spec, replicas: 1 } };
    });
  await using server = await serve({ webhooks: [webhook] });
  const { response } = await send(server, MUTATE, reviewOf({ dryRun: true }));
  assert.equal(response.patchType, "JSONPatch");
  assert.deepEqual(JSON.parse(atob(response.patch)), [
    { op: "add", path: "/spec/replicas", value: 1 },
  ]);
  assert.deepEqual(response.warnings, ["jane CREATE default/a dry"]);
  const refused = await send(server, MUTATE, reviewOf({ object: desktop({ image: "" }) }));
  assert.deepEqual(refused.response.status, { code: 409, reason: "Conflict", message: "no image" });
  const returning = webhookFor(Desktop).defaulter(() => deny("not today"));
  await using other = await serve({ webhooks: [returning] });
  assert.deepEqual((await send(other, MUTATE, reviewOf())).response.status, {
    code: 403,
    reason: "Forbidden",
    message: "not today",
  });
  const set = await send(
    server,
    MUTATE,
    reviewOf({ object: desktop({ image: "ü", replicas: 1 }) }),
  );
  assert.equal("patch" in set.response, false);
});

Deno.test("webhooks: a validator gets the objects of each operation, and its problems are causes of Invalid", async () => {
  const seen: unknown[] = [];
  const webhook = webhookFor(Desktop).validator({
    update: ({ object, oldObject }) => {
      seen.push([object.spec.image, oldObject.spec.image]);
      return [
        field.forbidden("spec.image", "it must not change"),
        field.invalid("spec.replicas", -1, "must be at least 0"),
      ];
    },
    delete: ({ object, name }) => {
      seen.push([object.spec.image, name]);
      return deny("it is in use");
    },
  });
  await using server = await serve({ webhooks: [webhook] });
  const oldObject = desktop({ image: "old" });
  const update = await send(server, VALIDATE, reviewOf({ operation: "UPDATE", oldObject }));
  assert.deepEqual(update.response.status, {
    code: 422,
    reason: "Invalid",
    message: 'Desktop.example.com "a" is invalid: [spec.image: Forbidden: it must not change, ' +
      "spec.replicas: Invalid value: -1: must be at least 0]",
    details: {
      name: "a",
      group: "example.com",
      kind: "Desktop",
      causes: [
        {
          field: "spec.image",
          reason: "FieldValueForbidden",
          message: "Forbidden: it must not change",
        },
        {
          field: "spec.replicas",
          reason: "FieldValueInvalid",
          message: "Invalid value: -1: must be at least 0",
        },
      ],
    },
  });
  const request = { operation: "DELETE", object: null, oldObject };
  const deletion = await send(server, VALIDATE, reviewOf(request));
  assert.equal(deletion.response.status.message, "it is in use");
  assert.equal(deletion.response.status.reason, "Forbidden");
  // Creations have no function here: there is nothing to validate.
  assert.equal((await send(server, VALIDATE, reviewOf())).response.allowed, true);
  assert.deepEqual(seen, [["x", "old"], ["old", "a"]]);
});

Deno.test("webhooks: a denial with field problems and a code without a default reason has no reason", async () => {
  const create = (): unknown => deny([field.required("spec.x")], { code: 409 });
  const webhook = webhookFor(Desktop).validator({ create: create as Create });
  await using server = await serve({ webhooks: [webhook] });
  const { status } = (await send(server, VALIDATE, reviewOf())).response;
  assert.deepEqual([status.code, "reason" in status], [409, false]);
  assert.equal(status.details.causes.length, 1);
});

Deno.test("webhooks: the key of a Namespace is its name, although the API server sends it as the namespace too", async () => {
  const seen: unknown[] = [];
  const see = ({ namespace, name, key }: AdmissionContext): void =>
    void seen.push([namespace, name, key]);
  const webhook = webhookFor(Namespace).validator({ create: see, delete: see });
  await using server = await serve({ webhooks: [webhook] });
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } };
  const request = {
    kind: { group: "", version: "v1", kind: "Namespace" },
    resource: { group: "", version: "v1", resource: "namespaces" },
    name: "a",
    namespace: "a",
    object,
  };
  const deletion = { ...request, operation: "DELETE", object: null, oldObject: object };
  for (const each of [request, deletion]) {
    const { response } = await send(server, "/validate--v1-namespace", reviewOf(each));
    assert.equal(response.allowed, true, response.status?.message);
  }
  assert.deepEqual(seen, [["a", "a", "a"], ["a", "a", "a"]]);
});

Deno.test("webhooks: requests are counted per path and code, and those that are open", async () => {
  const metrics = new RecordedMetrics();
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const webhook = webhookFor(Desktop).validator({
    create: async () => {
      entered.resolve();
      await release.promise;
    },
  });
  await using server = await serve({ webhooks: [webhook], metrics });
  const open = send(server, VALIDATE, reviewOf());
  await entered.promise;
  assert.equal(metrics.open, 1);
  release.resolve();
  await open;
  await send(server, VALIDATE, "{");
  assert.equal(metrics.open, 0);
  assert.deepEqual(metrics.ended, [[VALIDATE, 200], [VALIDATE, 400]]);
});

Deno.test("webhooks: a stop waits for open reviews and takes no others; the check then fails", async () => {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const webhook = webhookFor(Desktop).validator({
    create: async () => {
      entered.resolve();
      await release.promise;
    },
  });
  await using server = await serve({ webhooks: [webhook] });
  const stop = new AbortController();
  const never = new AbortController().signal;
  const running = server.run(stop.signal);
  assert.equal(await server.check(never), undefined);
  const open = send(server, VALIDATE, reviewOf());
  await entered.promise;
  stop.abort();
  await Promise.resolve();
  assert.equal(await server.check(never), "it does not listen");
  await assert.rejects(send(server, VALIDATE, reviewOf()), { code: "ECONNREFUSED" });
  release.resolve();
  assert.equal((await open).response.allowed, true);
  await running;
});

Deno.test("webhooks: two webhooks at one path, and webhooks without functions, are refused by name", async () => {
  const one = webhookFor(Desktop).validator({ create: () => {} });
  await assert.rejects(
    () => serve({ webhooks: [one, one] }),
    /two webhooks at \/validate-example-com/,
  );
  const { type, registrations, rules, ruleScope } = one;
  const bare = { type, registrations, rules, ruleScope, subresource: "" };
  await assert.rejects(
    () => serve({ webhooks: [bare] }),
    /webhooks for Desktop: they have no functions/,
  );
});

Deno.test("a webhook server that cannot listen on its address names the address and the remedy", async () => {
  const webhooks = [webhookFor(Desktop).validator({ create: () => {} })];
  await assert.rejects(
    serve({ webhooks, hostname: "192.0.2.1" }),
    /^Error: Cannot serve webhooks on 192\.0\.2\.1:0: this machine does not have the address; choose/,
  );
  await using first = await serve({ webhooks });
  await assert.rejects(
    serve({ webhooks, port: first.port! }),
    /: another process uses the port; end it, or choose another hostname or port$/,
  );
});
