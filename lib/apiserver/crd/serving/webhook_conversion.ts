// Mirrors `apiserver/conversion/webhook_converter.go, webhookConverter.Convert`.
import { fieldErrorText, FieldPath, type StatusError } from "@xca/apimachinery/internal/errors";
import { checkAnnotations, type DefinitionConversion } from "@xca/apimachinery/internal/schema";
import { validateLabels } from "@xca/apimachinery/internal/validation";
import { type ApiObject, goQuote, goType, isMap } from "@xca/apimachinery/internal/values";
import type { CallWebhook } from "../../machinery/call_webhook.ts";
import { type Conversion, conversionFailure } from "./convert.ts";

const TIMEOUT_SECONDS = 30;

/** The functions of the API server that webhook conversion needs. */
export interface WebhookConversionPorts {
  readonly callWebhook: CallWebhook;
  uid(): string;
}

/** The error for an invalid response of a conversion webhook. */
class UnusableAnswer extends Error {}

/**
 * Returns a function that converts custom objects by a webhook, which it calls once for all objects
 * in another version, and not at all without such objects. The function rejects with a StatusError
 * 500 if the call fails or the response is invalid.
 */
export function convertByWebhook(
  { webhook }: DefinitionConversion,
  ports: WebhookConversionPorts,
): Conversion {
  const clientConfig = webhook?.clientConfig ?? {};
  const reviewVersion = webhook?.conversionReviewVersions
    ?.find((version) => version === "v1" || version === "v1beta1");
  return async (objects, apiVersion) => {
    const others = objects.filter((object) => object.apiVersion !== apiVersion);
    if (others.length === 0) return objects;
    if (reviewVersion === undefined) {
      throw conversionFailure("no supported conversion review versions");
    }
    const about = `conversion webhook for ${kindText(others[0]!)}`;
    let answered: readonly unknown[];
    try {
      const uid = ports.uid();
      const review = {
        kind: "ConversionReview",
        apiVersion: `apiextensions.k8s.io/${reviewVersion}`,
        request: { uid, desiredAPIVersion: apiVersion, objects: others },
      };
      const call = { clientConfig, review, timeoutSeconds: TIMEOUT_SECONDS };
      answered = convertedObjects(await ports.callWebhook(call), reviewVersion, uid);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw conversionFailure(`${about} failed: ${why}`);
    }
    if (answered.length !== others.length) {
      throw conversionFailure(
        `${about} returned ${answered.length} objects, expected ${others.length}`,
      );
    }
    const converted = new Map(
      others.map((original, index) => [
        original,
        accept(original, answered[index], apiVersion, (problem) => {
          const isList = others.length > 1;
          return conversionFailure(
            `${about} returned invalid ${problemText(problem, index, isList)}`,
          );
        }),
      ]),
    );
    return objects.map((object) => converted.get(object) ?? object);
  };
}

/** Formats the kind of an object as `example.com/v1, Kind=Foo`. */
function kindText({ apiVersion, kind }: ApiObject): string {
  return `${apiVersion}, Kind=${kind}`;
}

const REVIEW_VERSIONS = ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"];

/**
 * Throws an UnusableAnswer if the response of a conversion webhook is not a ConversionReview in
 * version `v1` or `v1beta1`.
 */
function refuseOtherKinds(review: Record<string, unknown>): void {
  const { kind = "", apiVersion = "" } = review;
  for (const [name, value] of [["Kind", kind], ["apiVersion", apiVersion]]) {
    if (value === "") {
      throw new UnusableAnswer(`Object '${name}' is missing in '${JSON.stringify(review)}'`);
    }
  }
  if (kind === "ConversionReview" && REVIEW_VERSIONS.includes(String(apiVersion))) return;
  throw new UnusableAnswer(
    `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} ` +
      'in scheme "pkg/runtime/scheme.go:111"',
  );
}

function convertedObjects(answer: unknown, reviewVersion: string, uid: string): readonly unknown[] {
  const review = isMap(answer) ? answer : {};
  refuseOtherKinds(review);
  if (reviewVersion === "v1") {
    const wanted = "apiextensions.k8s.io/v1, Kind=ConversionReview";
    const actual = `${review.apiVersion ?? "/"}, Kind=${review.kind ?? ""}`;
    if (actual !== wanted) {
      throw new UnusableAnswer(`expected webhook response of ${wanted}, got ${actual}`);
    }
  }
  const { response } = review;
  if (!isMap(response)) throw new UnusableAnswer("no response provided");
  if (reviewVersion === "v1" && response.uid !== uid) {
    const got = goQuote(String(response.uid ?? ""));
    throw new UnusableAnswer(`expected response.uid=${goQuote(uid)}, got ${got}`);
  }
  const result = isMap(response.result) ? response.result : {};
  if (result.status !== "Success") {
    if (result.message) throw new UnusableAnswer(String(result.message));
    const status = result.status ?? "";
    throw new UnusableAnswer(`response.result.status was '${status}', not 'Success'`);
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
}

/** A defect of an object that a conversion webhook returned. */
interface ConversionProblem {
  /** The part of the object that the problem is about. */
  readonly about: "type" | "identity" | "metadata";
  readonly why: string;
}

/**
 * Formats a problem of a converted object as kube-apiserver does, which names the object's index in
 * the response for an object of a list, and differs by the part of the object for a single object.
 */
function problemText(
  { about, why }: ConversionProblem,
  index: number,
  isList: boolean,
): string {
  if (isList) {
    const what = about === "metadata" ? "metadata in object" : "converted object";
    return `${what} at index ${index}: ${why}`;
  }
  const what = { type: "object at index 0", identity: "object", metadata: "metadata" }[about];
  return `${what}: ${why}`;
}

/**
 * Returns the object that a conversion webhook returned, with the metadata of the original, except
 * labels and annotations, which are those of the returned object.
 *
 * @param failure Returns the error about a problem of the returned object.
 *
 * @throws {StatusError} The result of `failure` if the returned object is invalid: it has another
 * kind, version, name, namespace or uid, or malformed metadata.
 */
function accept(
  original: ApiObject,
  answered: unknown,
  apiVersion: string,
  failure: (problem: ConversionProblem) => StatusError,
): ApiObject {
  const converted = (isMap(answered) ? answered : {}) as Partial<ApiObject>;
  const refuse = (about: ConversionProblem["about"], why: string): never => {
    throw failure({ about, why });
  };
  if (converted.apiVersion !== apiVersion) {
    const received = converted.apiVersion ?? "/";
    refuse("type", `invalid groupVersion (expected ${apiVersion}, received ${received})`);
  }
  if (converted.kind !== original.kind) {
    refuse("type", `invalid kind (expected ${original.kind}, received ${converted.kind})`);
  }
  const metadata: Record<string, unknown> = isMap(converted.metadata) ? converted.metadata : {};
  for (const [field, name] of [["name", "name"], ["namespace", "namespace"], ["uid", "UID"]]) {
    const before = original.metadata[field as "name"] ?? "";
    const after = metadata[field!] ?? "";
    if (before !== after) {
      refuse("identity", `must have the same ${name}: ${before} != ${after}`);
    }
  }
  try {
    const restored = restoreMetadata(original, converted.metadata);
    return { ...converted, metadata: restored } as ApiObject;
  } catch (error) {
    if (!(error instanceof UnusableAnswer)) throw error;
    return refuse("metadata", error.message);
  }
}

function restoreMetadata(original: ApiObject, answered: unknown): ApiObject["metadata"] {
  if (answered === undefined) throw new UnusableAnswer("missing metadata in converted object");
  if (!isMap(answered)) {
    throw new UnusableAnswer(`invalid metadata of type ${goType(answered)} in converted object`);
  }
  const metadata = structuredClone(original.metadata);
  for (const field of ["labels", "annotations"] as const) {
    const given = answered[field];
    const before = metadata[field];
    delete metadata[field];
    if (given === undefined || given === null) continue;
    if (!isMap(given)) {
      const type = goType(given);
      throw new UnusableAnswer(`invalid metadata.${field} of type ${type} in converted object`);
    }
    metadata[field] = checkedTexts(field, given, before);
  }
  return metadata;
}

function checkedTexts(
  field: "labels" | "annotations",
  given: Record<string, unknown>,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  let isChanged = Object.keys(given).length !== Object.keys(before).length;
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== "string") {
      throw new UnusableAnswer(
        `metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`,
      );
    }
    if (before[key] !== value) isChanged = true;
  }
  const texts = given as Record<string, string>;
  if (!isChanged) return texts;
  const errors = field === "labels"
    ? validateLabels(texts, FieldPath.of("metadata", "labels"))
    : checkAnnotations(FieldPath.of("metadata", "annotation"), texts);
  if (errors.length > 0) {
    const all = errors.map(fieldErrorText);
    throw new UnusableAnswer(all.length === 1 ? all[0]! : `[${all.join(", ")}]`);
  }
  return texts;
}
