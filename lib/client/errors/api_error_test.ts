import assert from "node:assert/strict";
import {
  ApiError,
  apiErrorFromObject,
  apiErrorFromRaw,
  hasStatusCause,
  ignoreNotFound,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotFound,
  isRequestEntityTooLarge,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
} from "./api_error.ts";
import { apiErrorFromRefusal } from "../calls/error_response.ts";

const PREDICATES = {
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotFound,
  isRequestEntityTooLarge,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
};

function who(error: unknown): string[] {
  return Object.entries(PREDICATES).filter(([, is]) => is(error)).map(([name]) => name);
}

const CASES: readonly [code: number, reason: string | undefined, predicate: string | undefined][] =
  [
    [400, "BadRequest", "isBadRequest"],
    [401, "Unauthorized", "isUnauthorized"],
    [403, "Forbidden", "isForbidden"],
    [404, "NotFound", "isNotFound"],
    [404, undefined, "isNotFound"],
    [404, "SomethingNew", "isNotFound"],
    [405, "MethodNotAllowed", "isMethodNotSupported"],
    [409, "Conflict", "isConflict"],
    [409, undefined, "isConflict"],
    [409, "AlreadyExists", "isAlreadyExists"],
    [410, "Expired", "isGone"],
    [410, "Gone", "isGone"],
    [410, undefined, "isGone"],
    [413, "RequestEntityTooLarge", "isRequestEntityTooLarge"],
    [422, "Invalid", "isInvalid"],
    [429, "TooManyRequests", "isTooManyRequests"],
    [500, "InternalError", "isInternalError"],
    [500, "ServerTimeout", "isTimeout"],
    [503, "ServiceUnavailable", "isServiceUnavailable"],
    [504, "Timeout", "isTimeout"],
    [504, undefined, "isTimeout"],
    [418, undefined, undefined],
  ];

for (const [code, reason, predicate] of CASES) {
  Deno.test(`ApiError ${code} ${reason ?? "without a reason"} is ${predicate ?? "nothing known"}`, () => {
    const status = reason === undefined ? { code } : { code, reason };
    assert.deepEqual(who(new ApiError({ status })), predicate === undefined ? [] : [predicate]);
  });
}

Deno.test("predicates are false for values that are not an ApiError", () => {
  for (const other of [undefined, null, 404, new Error("NotFound"), { code: 404 }]) {
    assert.deepEqual(who(other), []);
  }
});

Deno.test("ApiError has the message of the server, and prints as kubectl does", () => {
  const error = new ApiError({
    status: { code: 404, reason: "NotFound", message: `pods "a" not found` },
    method: "GET",
    path: "/api/v1/namespaces/d/pods/a",
  });
  assert.equal(error.message, `pods "a" not found`);
  assert.equal(String(error), `Error from server (NotFound): pods "a" not found`);
});

Deno.test("hasStatusCause() reports whether the refusal has a cause", () => {
  const details = { causes: [{ reason: "ResourceVersionTooLarge", message: "Too large" }] };
  const error = new ApiError({ status: { code: 504, reason: "Timeout", details } });
  assert.ok(hasStatusCause(error, "ResourceVersionTooLarge"));
  assert.ok(!hasStatusCause(error, "NamespaceTerminating"));
  assert.ok(!hasStatusCause(new Error(), "ResourceVersionTooLarge"));
});

Deno.test("ignoreNotFound() passes values and other errors", async () => {
  assert.equal(await ignoreNotFound(Promise.resolve(1)), 1);
  const conflict = new ApiError({ status: { code: 409 } });
  await assert.rejects(ignoreNotFound(Promise.reject(conflict)), conflict);
  const gone = new ApiError({ status: { code: 404 } });
  assert.equal(await ignoreNotFound(Promise.reject(gone)), undefined);
});

const CALL = { method: "GET", path: "/x", retryAfterSeconds: undefined };

Deno.test("a refusal whose body is not a Status has its code and the beginning of the body", () => {
  const body = `<html>\n  <h1>Bad gateway</h1>${"x".repeat(1000)}</html>`;
  const error = apiErrorFromRefusal({ ...CALL, code: 502, body });
  assert.equal(error.code, 502);
  assert.match(error.message, /^the server answered 502 to GET \/x: <html> <h1>Bad gateway/);
  assert.ok(error.message.length < 300);
});

Deno.test("a refusal keeps the Status, and its Retry-After header outranks that of the body", () => {
  const status = {
    apiVersion: "v1",
    kind: "Status",
    reason: "TooManyRequests",
    message: "slow down",
    details: { retryAfterSeconds: 7 },
  };
  const body = JSON.stringify(status);
  assert.equal(apiErrorFromRefusal({ ...CALL, code: 429, body }).retryAfterSeconds, 7);
  const error = apiErrorFromRefusal({ ...CALL, code: 429, body, retryAfterSeconds: 3 });
  assert.equal(error.retryAfterSeconds, 3);
  assert.equal(error.code, 429);
  assert.equal(error.message, "slow down");
});

Deno.test("an ERROR event becomes the error of its Status, or one that names its kind and shows no data", () => {
  const status = { apiVersion: "v1", kind: "Status", code: 410, reason: "Expired", message: "old" };
  assert.ok(isGone(apiErrorFromObject(status)));
  assert.ok(isGone(apiErrorFromRaw(new TextEncoder().encode(JSON.stringify(status)))));
  const prefix = "the watch sent an error that is not a Status but ";
  const raw = (text: string) => apiErrorFromRaw(new TextEncoder().encode(text)).message;
  assert.equal(apiErrorFromObject({ a: 1 }).message, `${prefix}an object without a kind`);
  assert.equal(apiErrorFromObject(null).message, `${prefix}null`);
  assert.equal(raw("{oops hunter2"), `${prefix}no JSON`);
  assert.equal(
    raw('{"apiVersion":"v1","kind":"Secret","data":{"password":"aHVudGVyMg=="}}'),
    `${prefix}a Secret of v1`,
  );
});

Deno.test("an error drops the fields of a Status that have the wrong types", () => {
  const causes = [null, 7, { reason: {}, field: "spec.replicas", message: ["x"] }];
  const body = { code: "409", reason: 7, message: {}, details: { causes, name: 1 }, metadata: 3 };
  const sent = JSON.stringify({ kind: "Status", apiVersion: "v1", ...body });
  const refused = apiErrorFromRefusal({
    code: 404,
    body: sent,
    method: "GET",
    path: "/x",
    retryAfterSeconds: undefined,
  });
  assert(isNotFound(refused));
  assert.deepEqual(refused.status, {
    kind: "Status",
    apiVersion: "v1",
    code: 404,
    details: { causes: [{ field: "spec.replicas" }] },
  });
  for (const details of ["x", null, [], { causes: "x" }, { causes: { length: 1 } }]) {
    const inside = apiErrorFromRaw(new TextEncoder().encode(
      JSON.stringify({ kind: "Status", apiVersion: "v1", code: 410, details }),
    ));
    assert(isGone(inside), JSON.stringify(details));
    assert(!hasStatusCause(inside, "any"));
  }
});
