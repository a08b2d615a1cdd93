import { compareQuantities, nanosOf, wholeValue } from "@xca/apimachinery/internal/values";
import assert from "node:assert/strict";
import { type FieldError, fieldErrorText, FieldPath } from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import { validateSignerName } from "../kinds/platform/signer_name.ts";
import { validateDriverName } from "./driver_name.ts";
import { environmentNameProblems } from "./identifiers.ts";
import { sameValue } from "./immutable.ts";
import { validateManagedFields } from "./object_meta.ts";
import { portNameProblems } from "./ports.ts";

const path = FieldPath.of("spec", "x");

Deno.test("the error about a DNS label with dots says so", () => {
  assert.deepEqual(dnsLabelProblems("a.b"), ["must not contain dots"]);
  assert.deepEqual(dnsLabelProblems("a-b"), []);
  assert.match(dnsLabelProblems("A")[0]!, /my-name', {2}or '123-abc', regex used/);
});

Deno.test("a prefix of a name may end with a dash", () => {
  assert.deepEqual(subdomainNameProblems("web-", true), []);
  assert.equal(subdomainNameProblems("web-", false).length, 1);
});

Deno.test("a qualified name has at most one slash", () => {
  assert.deepEqual(qualifiedNameProblems("example.com/role"), []);
  assert.deepEqual(qualifiedNameProblems("/role"), ["prefix part must be non-empty"]);
  assert.match(qualifiedNameProblems("a/b/c")[0]!, /^a valid label key must consist/);
  assert.equal(qualifiedNameProblems("").length, 2);
  assert.deepEqual(labelValueProblems(""), []);
});

Deno.test("a selector's expression must fit its operator", () => {
  const selector = { matchExpressions: [{ key: "a", operator: "In" }] };
  assert.deepEqual(validateLabelSelector(selector, path).map(fieldErrorText), [
    "spec.x.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ]);
});

Deno.test("quantities are compared by value", () => {
  assert.equal(compareQuantities("1Ki", "1024"), 0);
  assert.equal(compareQuantities("1500m", "1.5"), 0);
  assert.equal(compareQuantities("12e6", "12M"), 0);
  assert.equal(compareQuantities("-1", "0"), -1);
  assert.equal(nanosOf("0.5n"), 1n);
  assert.equal(wholeValue("1500m"), 2n);
});

Deno.test("a port's name must have a letter", () => {
  assert.deepEqual(portNameProblems("80"), ["must contain at least one letter (a-z)"]);
});

Deno.test("an environment variable's name is printable ASCII without =", () => {
  assert.deepEqual(environmentNameProblems("1 a"), []);
  assert.equal(environmentNameProblems("a=b").length, 1);
});

Deno.test("absent and empty lists are the same", () => {
  assert(sameValue({ a: [] }, {}));
  assert(!sameValue({ a: {} }, {}));
  assert(sameValue({ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] }));
});

Deno.test("the lengths of names are counted in bytes, as in Kubernetes", () => {
  const texts = (errors: FieldError[]): string[] => errors.map(fieldErrorText);
  const tooLong = /Too long: may not be more than \d+ bytes/;
  const count = (errors: FieldError[]): number =>
    texts(errors).filter((text) => tooLong.test(text)).length;
  assert.equal(count(validateDriverName("\u00e9".repeat(31), path)), 0);
  assert.equal(count(validateDriverName("\u00e9".repeat(32), path)), 1);
  const entry = (subresource: string): object[] => [{ operation: "Update", subresource }];
  assert.deepEqual(validateManagedFields(entry("\u00e9".repeat(128))), []);
  assert.equal(count(validateManagedFields(entry("\u00e9".repeat(129)))), 1);
  assert.equal(count(validateSignerName(path, `${"\u00e9".repeat(126)}/a`)), 0);
  assert.equal(count(validateSignerName(path, `${"\u00e9".repeat(127)}/a`)), 1);
});
