import assert from "node:assert/strict";
import { conformanceSuite } from "../suite.ts";
import type { Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const configMap = (name: string) => ({ metadata: { name }, data: { x: "1" } });

/** A case of one call after `a` was made. */
function refused(name: string, code: number, call: (t: Target) => Promise<{ code: number }>): void {
  conformance(name, async (t) => {
    await t.post(t.path("configmaps"), configMap("a"), { unrecorded: true });
    assert.equal((await call(t)).code, code);
  });
}

const long = "m".repeat(129);

refused(
  "a create with an unknown dryRun value",
  422,
  (t) => t.post(t.path("configmaps?dryRun=Some"), configMap("b")),
);
refused(
  "a create with an empty dryRun value",
  422,
  (t) => t.post(t.path("configmaps?dryRun="), configMap("b")),
);
refused(
  "a create with two dryRun values, one of them unknown",
  422,
  (t) => t.post(t.path("configmaps?dryRun=All&dryRun=x"), configMap("b")),
);
refused(
  "a create with an unknown fieldValidation",
  422,
  (t) => t.post(t.path("configmaps?fieldValidation=Maybe"), configMap("b")),
);
refused(
  "a create with a fieldManager that is too long",
  422,
  (t) => t.post(t.path(`configmaps?fieldManager=${long}`), configMap("b")),
);
refused(
  "a create with a fieldManager that does not print",
  422,
  (t) => t.post(t.path("configmaps?fieldManager=a%07b"), configMap("b")),
);
refused(
  "a create with everything wrong names everything",
  422,
  (t) => t.post(t.path(`configmaps?fieldManager=${long}&dryRun=x&fieldValidation=y`), {}),
);
refused(
  "an update with an unknown dryRun value",
  422,
  (t) => t.put(t.path("configmaps/a?dryRun=Some"), configMap("a")),
);
refused(
  "an update with an unknown fieldValidation",
  422,
  (t) => t.put(t.path("configmaps/a?fieldValidation=strict"), configMap("a")),
);
refused(
  "a merge patch with force",
  422,
  (t) => t.patch("merge", t.path("configmaps/a?force=true"), {}),
);
refused(
  "an apply patch without a fieldManager",
  422,
  (t) =>
    t.patch("apply", t.path("configmaps/a"), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a" },
    }),
);
refused(
  "a patch with an unknown dryRun value",
  422,
  (t) => t.patch("merge", t.path("configmaps/a?dryRun=x"), {}),
);
refused(
  "a patch of an unknown media type",
  415,
  (t) => t.call("PATCH", t.path("configmaps/a"), "{}", { type: "text/plain" }),
);
refused(
  "a patch without a media type of patches",
  415,
  (t) => t.call("PATCH", t.path("configmaps/a"), "{}", { type: "application/json" }),
);
refused(
  "a deletion with an unknown propagationPolicy",
  422,
  (t) => t.delete(t.path("configmaps/a?propagationPolicy=Sometimes")),
);
refused(
  "a deletion with propagationPolicy and orphanDependents",
  422,
  (t) => t.delete(t.path("configmaps/a?propagationPolicy=Orphan&orphanDependents=true")),
);
refused(
  "a deletion whose body has an unknown propagationPolicy",
  422,
  (t) => t.delete(t.path("configmaps/a"), { propagationPolicy: "Sometimes" }),
);
refused(
  "a deletion with an unknown dryRun value",
  422,
  (t) => t.delete(t.path("configmaps/a"), { dryRun: ["x"] }),
);
refused(
  "a deletion whose gracePeriodSeconds is no number",
  400,
  (t) => t.delete(t.path("configmaps/a?gracePeriodSeconds=soon")),
);
refused(
  "a deletion whose body is no DeleteOptions",
  400,
  (t) => t.delete(t.path("configmaps/a"), { kind: "ConfigMap", apiVersion: "v1" }),
);
refused(
  "a deletion whose body is no JSON",
  400,
  (t) => t.delete(t.path("configmaps/a"), "{"),
);
refused(
  "a deletion whose body is DeleteOptions of meta.k8s.io",
  200,
  (t) => t.delete(t.path("configmaps/a"), { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" }),
);
refused(
  "a deletion whose body is DeleteOptions of another group",
  200,
  (t) => t.delete(t.path("configmaps/a"), { kind: "DeleteOptions", apiVersion: "apps/v1" }),
);
refused(
  "a deletion whose body is of an unknown media type",
  415,
  (t) => t.delete(t.path("configmaps/a"), "x", { type: "text/plain" }),
);
refused(
  "query options of a deletion do not count beside a body",
  200,
  (t) => t.delete(t.path("configmaps/a?propagationPolicy=Sometimes"), {}),
);
refused(
  "an unknown query parameter is no error",
  200,
  (t) => t.get(t.path("configmaps/a?colour=blue")),
);
refused("an export is refused", 400, (t) => t.get(t.path("configmaps/a?export=true")));
refused("an export that is false is none", 200, (t) => t.get(t.path("configmaps/a?export=false")));
refused(
  "a list whose limit is no number",
  400,
  (t) => t.get(t.path("configmaps?limit=many")),
);
refused(
  "a list whose timeoutSeconds is no number",
  400,
  (t) => t.get(t.path("configmaps?timeoutSeconds=1.5")),
);
refused(
  "a body that is no JSON",
  400,
  (t) => t.post(t.path("configmaps"), "{"),
);
refused("a body that is empty", 400, (t) => t.post(t.path("configmaps"), ""));
refused("a body that is a list", 400, (t) => t.post(t.path("configmaps"), "[]"));
refused("a body that is null", 422, (t) => t.post(t.path("configmaps"), "null"));
refused(
  "a body of another kind",
  400,
  (t) => t.post(t.path("configmaps"), { ...configMap("b"), kind: "Secret", apiVersion: "v1" }),
);
refused(
  "a body of another version",
  400,
  (t) => t.post(t.path("configmaps"), { ...configMap("b"), kind: "ConfigMap", apiVersion: "v2" }),
);
refused(
  "a body of a kind that nobody knows",
  400,
  (t) => t.post(t.path("configmaps"), { kind: "Nothing", apiVersion: "v1" }),
);
refused(
  "a body in YAML",
  201,
  (t) =>
    t.post(t.path("configmaps"), "metadata:\n  name: b\ndata:\n  y: '2'\n", {
      type: "application/yaml",
    }),
);
refused(
  "a body of an unknown media type",
  415,
  (t) => t.post(t.path("configmaps"), "x", { type: "text/plain" }),
);
refused(
  "a body whose media type has parameters",
  201,
  (t) => t.post(t.path("configmaps"), configMap("b"), { type: "application/json; charset=utf-8" }),
);
refused(
  "an answer in YAML",
  200,
  async (t) => {
    t.mask(/resourceVersion: "\d+"/, "<version>");
    t.mask(/manager: \w+/, "manager: <agent>");
    return await t.get(t.path("configmaps/a"), { headers: { Accept: "application/yaml" } });
  },
);
refused(
  "an answer in a media type that nobody has",
  406,
  (t) => t.get(t.path("configmaps/a"), { headers: { Accept: "text/html" } }),
);
refused(
  "the first media type that the server has is taken",
  200,
  (t) =>
    t.get(t.path("configmaps/a"), {
      headers: { Accept: "text/html;q=0.9, application/yaml;q=0.2, application/json;q=0.5" },
    }),
);
refused(
  "an answer as PartialObjectMetadata",
  200,
  (t) =>
    t.get(t.path("configmaps/a"), {
      headers: { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
    }),
);
refused(
  "a list as PartialObjectMetadataList",
  200,
  (t) =>
    t.get(t.path("configmaps"), {
      headers: { Accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" },
    }),
);
refused(
  "a list as PartialObjectMetadata is not acceptable",
  406,
  (t) =>
    t.get(t.path("configmaps"), {
      headers: { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
    }),
);
refused(
  "one object as PartialObjectMetadataList is not acceptable",
  406,
  (t) =>
    t.get(t.path("configmaps/a"), {
      headers: { Accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" },
    }),
);
refused(
  "an answer as something unknown is not acceptable",
  406,
  (t) =>
    t.get(t.path("configmaps/a"), {
      headers: { Accept: "application/json;as=Picture;g=meta.k8s.io;v=v1" },
    }),
);
refused(
  "what is not there is a Status also when metadata was asked for",
  404,
  (t) =>
    t.get(t.path("configmaps/none"), {
      headers: { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
    }),
);
refused(
  "a created object as PartialObjectMetadata",
  201,
  (t) =>
    t.post(t.path("configmaps"), configMap("b"), {
      headers: { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
    }),
);
refused(
  "a deletion's Status as PartialObjectMetadata stays a Status",
  200,
  (t) =>
    t.delete(t.path("configmaps/a"), undefined, {
      headers: { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
    }),
);
refused(
  "a table falls back to JSON when it is among what is accepted",
  200,
  (t) =>
    t.get(t.path("configmaps/a"), {
      headers: { Accept: "application/json;as=Picture;v=v1, application/json" },
    }),
);
refused(
  "an includeObject that nobody knows",
  400,
  (t) =>
    t.get(t.path("configmaps?includeObject=Everything"), {
      headers: { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    }),
);

conformance("answers for people are indented", async (t) => {
  await t.post(t.path("configmaps"), configMap("a"), { unrecorded: true });
  const pretty = await t.get(t.path("configmaps/a?pretty=true"));
  assert.equal(pretty.code, 200);
  assert.equal(pretty.headers.get("content-type"), "application/json");
});

conformance("the headers of every answer", async (t) => {
  const { headers } = await t.get(t.path("configmaps"));
  assert.equal(headers.get("cache-control"), "no-cache, private");
  assert.match(headers.get("audit-id") ?? "", /^[0-9a-f-]{36}$/);
  const given = await t.get(t.path("configmaps"), { headers: { "Audit-ID": "given" } });
  assert.equal(given.headers.get("audit-id"), "given");
});

conformance("a request that is too large", async (t) => {
  const { code } = await t.post(t.path("configmaps"), {
    metadata: { name: "a" },
    data: { x: "x".repeat(3 * 1024 * 1024) },
  });
  assert.equal(code, 413);
});
