import assert from "node:assert/strict";
import type { KubeObject } from "@xca/apimachinery/meta";
import { desktop, RecordedMetrics, send, serve } from "../server/webhook_fakes_test.ts";
import type { Conversion } from "./conversion.ts";

/** Version v1 has `spec.size`, v2 `spec.width`. */
const conversion: Conversion = {
  group: "example.com",
  kind: "Desktop",
  versions: ["v1", "v2"],
  convert: (object, version) => {
    const { spec = {}, ...rest } = object as KubeObject & { spec?: Record<string, unknown> };
    const [from, to] = version === "v2" ? ["size", "width"] : ["width", "size"];
    const { [from]: value, ...others } = spec;
    return { ...rest, spec: { ...others, ...(value !== undefined && { [to]: value }) } };
  },
};

function reviewOf(objects: readonly unknown[], desiredAPIVersion = "example.com/v2"): unknown {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "9a", desiredAPIVersion, objects },
  };
}

/** Returns the response to the conversion of objects. */
// deno-lint-ignore no-explicit-any -- the body is what the test asserts about.
async function convert(conversion: Conversion, objects: unknown[], to?: string): Promise<any> {
  await using server = await serve({ conversions: [conversion] });
  const { code, response } = await send(server, "/convert?timeout=30s", reviewOf(objects, to));
  assert.equal(code, 200);
  assert.equal(response.uid, "9a");
  return response;
}

/** Returns the message of the failure of a conversion. */
async function failureOf(
  convertOne: Conversion["convert"],
  object: unknown = desktop(),
): Promise<string> {
  const { result, convertedObjects } = await convert({ ...conversion, convert: convertOne }, [
    object,
  ]);
  assert.equal(result.status, "Failure");
  assert.deepEqual(convertedObjects, []);
  return result.message;
}

Deno.test("conversions: all objects of a review are converted, in their order, and back to what they were", async () => {
  const objects = [desktop({ image: "a", size: 1 }), desktop({ image: "b" }, { name: "b" })];
  const there = await convert(conversion, objects);
  assert.deepEqual(there.result, { status: "Success" });
  assert.deepEqual(there.convertedObjects, [
    { ...objects[0], apiVersion: "example.com/v2", spec: { image: "a", width: 1 } },
    { ...objects[1], apiVersion: "example.com/v2" },
  ]);
  const back = await convert(conversion, there.convertedObjects, "example.com/v1");
  assert.deepEqual(back.convertedObjects, objects);
  assert.deepEqual(
    (await convert(conversion, objects, "example.com/v1")).convertedObjects,
    objects,
  );
  assert.deepEqual((await convert(conversion, [])).convertedObjects, []);
});

Deno.test("conversions: a value that JSON does not have fails the review by its path, and is never null", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const specs: readonly [value: unknown, message: RegExp][] = [
    [NaN, /: \/spec\/width is NaN, which JSON does not have$/],
    [10n, /: \/spec\/width is bigint, which JSON does not have$/],
    [new Date(0), /: \/spec\/width is an object of class Date, which JSON does not have$/],
    [new Array(2), /: \/spec\/width\/0 is undefined, which JSON does not have$/],
    [cyclic, /: Maximum call stack size exceeded$/],
  ];
  for (const [width, message] of specs) {
    const failure = await failureOf((object) => ({ ...object, spec: { width } }) as KubeObject);
    assert.match(failure, /^Cannot convert Desktop default\/a to example.com\/v2: /);
    assert.match(failure, message);
  }
});

Deno.test("conversions: of the metadata only labels and annotations change, and the identity is held", async () => {
  const metadata = { uid: "u", generation: 3, labels: { a: "1" }, finalizers: ["x/y"] };
  const object = desktop({}, metadata);
  const relabelled = await convert({
    ...conversion,
    convert:
      () => ({ kind: "Other", metadata: { labels: { a: "2" }, generation: 9 }, spec: 1 } as never),
  }, [object]);
  assert.deepEqual(relabelled.convertedObjects[0], {
    ...object,
    apiVersion: "example.com/v2",
    metadata: { ...object.metadata, labels: { a: "2" } },
    spec: 1,
  });
  const bare = await convert({ ...conversion, convert: () => ({ spec: 1 } as never) }, [object]);
  assert.deepEqual(bare.convertedObjects[0].metadata, object.metadata);
  for (const name of ["name", "namespace", "uid"] as const) {
    const message = await failureOf(
      (given) => ({ ...given, metadata: { ...given.metadata, [name]: "other" } }),
      object,
    );
    assert.match(message, new RegExp(`changed metadata.${name}, which is fixed`));
  }
});

Deno.test("conversions: one that fails fails the review, whose message names the object and the reason", async () => {
  assert.equal(
    await failureOf(() => {
      throw new RangeError("no such size");
    }),
    "Cannot convert Desktop default/a to example.com/v2: no such size",
  );
  assert.match(await failureOf(() => Promise.reject(new Error("late"))), /: late$/);
  for (const result of [undefined, null, 7, "x", []]) {
    assert.match(await failureOf(() => result as never), /the conversion returned a value that is/);
  }
  assert.match(
    await failureOf((given) => given, 7),
    /Cannot convert objects\[0\] to .*: it has no/,
  );
  assert.match(await failureOf((given) => given, null), /objects\[0\]/);
});

Deno.test("conversions: objects of an unknown group, kind or version are refused by name", async () => {
  const never: Conversion = {
    ...conversion,
    convert: () => {
      throw new Error("it is called");
    },
  };
  const messageOf = async (object: unknown, to?: string): Promise<string> =>
    (await convert(never, [object], to)).result.message;
  assert.match(
    await messageOf({ ...desktop(), apiVersion: "example.com/v9" }),
    /version "v9" is unknown; known are v1, v2$/,
  );
  assert.match(await messageOf(desktop(), "example.com/v9"), /version "v9" is unknown/);
  assert.match(
    await messageOf({ ...desktop(), kind: "Pod" }),
    /does not convert Pod of group "example.com"/,
  );
  assert.match(await messageOf(desktop(), "other.com/v1"), /the object is of group "example.com"/);
});

Deno.test("conversions: what is no ConversionReview of v1 is refused with code 400, and handlers that hang end in time", async () => {
  const metrics = new RecordedMetrics();
  const hanging: Conversion = { ...conversion, convert: () => new Promise(() => {}) };
  await using server = await serve({ conversions: [hanging], metrics });
  const whole = reviewOf([]) as Record<string, unknown>;
  const bad: [body: unknown, message: RegExp][] = [
    [{ ...whole, request: null }, /conversion request is missing/],
    [{ ...whole, request: { desiredAPIVersion: "a/v1", objects: [] } }, /request.uid is missing/],
    [{ ...whole, request: { uid: "1", objects: [] } }, /desiredAPIVersion is missing/],
    [{ ...whole, request: { uid: "1", desiredAPIVersion: "a/v1" } }, /objects is not a list/],
    [
      { ...whole, apiVersion: "apiextensions.k8s.io/v1beta1" },
      /configure conversionReviewVersions/,
    ],
    ["[]", /no ConversionReview/],
    ["", /request body is empty/],
  ];
  for (const [body, message] of bad) {
    const { code, response } = await send(server, "/convert", body);
    assert.equal(code, 400);
    assert.match(response.status.message, message);
  }
  const late = await send(server, "/convert?timeout=20ms", reviewOf([desktop()]));
  assert.match(late.response.result.message, /it gave no answer within 0.018 s$/);
  assert.deepEqual(metrics.failures, ["conversion"]);
});
