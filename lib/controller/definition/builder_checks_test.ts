/**
 * Tests of how the controller builder refuses values that a module without a type check may pass.
 */
import assert from "node:assert/strict";
import { ConfigMap, Node, Secret } from "@xca/apimachinery/meta";
import { controllerFor } from "./controller_builder.ts";
import { defineOperator } from "../operator/operator.ts";
import { and, not, or } from "./predicate.ts";
import { reconcileOnce } from "../operator/reconcile_once.ts";
import { retryAfter } from "./retry_after_error.ts";
import { runOperator } from "../operator/run_operator.ts";

/** Test values of wrong types, each with its description in the error message. */
const WRONG: readonly (readonly [unknown, string])[] = [
  [null, "null"],
  [5, "of type number"],
  ["text", "of type string"],
  [["text"], "an array"],
  [{}, "of type object"],
];

function refused(call: () => unknown, ...parts: string[]): void {
  assert.throws(call, (error: unknown) => {
    assert(error instanceof TypeError);
    for (const part of parts) {
      assert(error.message.includes(part), `${error.message} lacks ${part}`);
    }
    return true;
  });
}

const builder = controllerFor(ConfigMap).named("mapper");

Deno.test("reconcile() refuses a reconciler that is not a function, and names the controller", () => {
  for (const [wrong, described] of [...WRONG, [undefined, "undefined"] as const]) {
    const message = `Cannot build controller mapper: reconcile must be a function, is ${described}`;
    refused(() => builder.reconcile(wrong as never), message);
  }
});

Deno.test("watches() refuses a mapping that is not a function, and names controller and resource", () => {
  for (const [wrong, described] of [...WRONG, [undefined, "undefined"] as const]) {
    refused(
      () => builder.watches(Secret, wrong as never),
      "Cannot build controller mapper: source secrets.v1: the mapping function",
      described,
    );
  }
});

Deno.test("predicates that are not functions are refused, and counted", () => {
  const failure = "controller mapper: source ";
  for (const [wrong, described] of WRONG) {
    const second = [() => true, wrong] as never;
    refused(() => builder.owns(Secret, { predicates: second }), failure, "predicate 2 of 2 must");
    refused(() => builder.withPredicates(wrong as never), failure, "configmaps.v1", described);
    if (Array.isArray(wrong)) continue;
    refused(
      () => builder.owns(Secret, { predicates: wrong as never }),
      "predicates must be an array",
    );
  }
});

Deno.test("a resource that is not a resource type is refused, with a hint at modules that import each other", () => {
  for (const [wrong, described] of WRONG) {
    refused(
      () => controllerFor(wrong as never),
      "Cannot build a controller: the resource",
      described,
    );
    refused(
      () => builder.owns(wrong as never),
      "Cannot build controller mapper: .owns()",
      described,
    );
  }
  refused(() => builder.watches(undefined as never, () => []), "do two modules import each other?");
});

Deno.test("options of a source that are not an object, or have another name, are refused", () => {
  for (const wrong of [null, 5, "app=web", []]) {
    refused(
      () => builder.owns(Secret, wrong as never),
      "secrets.v1: its options must be an object",
    );
  }
  const misspelt = { lableSelector: "app=web" } as never;
  refused(
    () => builder.owns(Secret, misspelt),
    "there is no option lableSelector, only predicates",
  );
  refused(() => controllerFor(ConfigMap, misspelt), "there is no option lableSelector");
  const owner = { anyOwner: true };
  assert.equal(builder.owns(Secret, owner).reconcile(() => {}).sources.length, 2);
  refused(() => builder.watches(Secret, () => [], owner as never), "there is no option anyOwner");
});

Deno.test("selectors that cannot be parsed are refused where they are declared", () => {
  for (const fieldSelector of ["spec", "a=b=c", "metadata.name=x\\y", "metadata.name=a,b"]) {
    refused(
      () => builder.owns(Secret, { fieldSelector }),
      `controller mapper: source secrets.v1: fieldSelector ${JSON.stringify(fieldSelector)}`,
      "write it as metadata.name=web",
    );
  }
  for (const labelSelector of ["a in", "a=b=c", "=b"]) {
    refused(() => controllerFor(Secret, { labelSelector }), "secrets.v1: labelSelector", "app=web");
  }
  refused(
    () => builder.owns(Secret, { fieldSelector: 5 as never }),
    "fieldSelector must be a string",
  );
  for (const fieldSelector of ["", "metadata.name=a\\,b", "spec.nodeName!=", "a==b,c!=d"]) {
    builder.owns(Secret, { fieldSelector, labelSelector: "a,!b,c in (d,e)" });
  }
});

Deno.test("namespaces that cannot exist are refused", () => {
  for (const namespaces of [[], ["one", "one"], ["A B"], [""], "one", [5], {}]) {
    refused(() => controllerFor(ConfigMap, { namespaces: namespaces as never }), "namespaces must");
  }
  refused(() => controllerFor(Node, { namespaces: ["one"] }), "is cluster-scoped");
});

Deno.test("options of a controller of another name or type are refused", () => {
  for (const wrong of [null, 5]) {
    refused(() => builder.options(wrong as never), "must be an object");
  }
  refused(() => builder.options({ worker: 2 } as never), "there is no option worker, only workers");
  refused(() => builder.options({ rateLimiter: {} as never }), "rateLimiter must be a function");
  assert.throws(() => builder.options({ timeoutMs: "5" as never }), /is of type string/);
  assert.throws(() => builder.named(undefined as never), RangeError);
});

Deno.test("runOperator() and reconcileOnce() refuse impossible namespaces, signals and grace periods", async () => {
  const controller = builder.reconcile(() => {});
  const operator = defineOperator({ name: "x", controllers: [controller] });
  const client = {};
  for (const namespace of ["A B", "a/b", 5, ["a"]]) {
    const options = { client, namespace } as never;
    refused(() => runOperator(operator, options), "operator x: namespace must be the name of a");
    await assert.rejects(
      reconcileOnce(controller, "default/x", options),
      /once with controller mapper/,
    );
  }
  refused(() => runOperator(operator, { client, signal: {} } as never), "must be an AbortSignal");
  for (const gracePeriodMs of [-1, NaN, "5", -Infinity]) {
    const options = { client, gracePeriodMs } as never;
    assert.throws(
      () => runOperator(operator, options),
      /operator x: gracePeriodMs must be between/,
    );
  }
  await assert.rejects(
    reconcileOnce(builder as never, "default/x", { client } as never),
    TypeError,
  );
  await assert.rejects(
    reconcileOnce(controller, "default/x", undefined as never),
    /without a client: pass/,
  );
});

Deno.test("combined predicates that are not functions are refused", () => {
  refused(() => and(undefined as never), "by and(): argument 1 must be a function, is undefined");
  refused(() => or(() => true, 5 as never), "by or(): argument 2 must be a function");
  refused(() => not({} as never), "by not(): argument 1 must be a function");
});

Deno.test("retryAfter() without a delay is refused with its name", () => {
  assert.throws(
    () => retryAfter("later", undefined as never),
    /Cannot retry after delayMs undefined/,
  );
});

Deno.test("runOperator() refuses an operator or a client that is missing", () => {
  const operator = defineOperator({ name: "x", controllers: [builder.reconcile(() => {})] });
  for (const wrong of [undefined, null, {}, builder]) {
    refused(() => runOperator(wrong as never, {} as never), "that defineOperator() has not made");
  }
  refused(
    () => runOperator(operator, undefined as never),
    "Cannot run operator x without a client",
  );
});

Deno.test("defineOperator() names the part that is missing or of the wrong type", () => {
  const controllers = [builder.reconcile(() => {})];
  const define = (init: unknown) => () => defineOperator(init as never);
  for (const wrong of [undefined, null, {}, { name: 5 }]) refused(define(wrong), "without a name");
  refused(define({ name: "x" }), "operator x without a controller");
  refused(define({ name: "x", controllers: builder }), "controllers must be an array");
  refused(define({ name: "x", controllers: [builder] }), "end it with .reconcile(...)");
  refused(define({ name: "x", controllers: [undefined] }), "controllers[0] must be made by");
  refused(define({ name: "x", controllers, crds: {} }), "crds must be an array");
  refused(define({ name: "x", controllers, crds: [undefined] }), "crds[0] must be", "undefined");
  refused(define({ name: "x", controllers, crds: [{ kind: "List" }] }), "is of kind List");
});
