// Mirrors sigs.k8s.io/controller-runtime/pkg/webhook/conversion/conversion.go, NewWebhookHandler.
import { described } from "@xca/apimachinery/internal/base";
import { errorText } from "@xca/apimachinery/base";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { KubeObject, ObjectMeta } from "@xca/apimachinery/meta";
import { BadReviewError } from "../admission/bad_review_error.ts";
import { asJson } from "../admission/json_patch.ts";
import type { Conversion } from "./conversion.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The field `request` of a ConversionReview. */
export interface ConversionRequest {
  /** The UID of the ConversionReview's request. */
  readonly uid: string;
  /** The API version to convert the objects to, such as `example.com/v1`. */
  readonly desiredAPIVersion: string;
  /** The objects that the ConversionReview requests to convert. */
  readonly objects: readonly unknown[];
}

/** The field `response` of a ConversionReview. */
export interface ConversionResponse {
  /** The UID of the request that the ConversionReview responds to. */
  readonly uid: string;
  /**
   * The result of the conversion: `Success` if all objects were converted, else `Failure` with the
   * reason.
   */
  readonly result: { readonly status: "Success" | "Failure"; readonly message?: string };
  /** The converted objects in the order of the request; empty after a failure. */
  readonly convertedObjects: readonly KubeObject[];
}

/**
 * Returns the validated request of a ConversionReview.
 *
 * @throws {BadReviewError} When a field is missing or of the wrong type.
 */
export function conversionRequest(review: Fields): ConversionRequest {
  const request = review.request as Fields | null | undefined;
  if (typeof request !== "object" || request === null) {
    throw new BadReviewError(400, "conversion request is missing");
  }
  const { uid, desiredAPIVersion, objects } = request;
  if (typeof uid !== "string" || uid === "") {
    throw new BadReviewError(400, "request.uid is missing");
  }
  if (typeof desiredAPIVersion !== "string" || desiredAPIVersion === "") {
    throw new BadReviewError(400, "request.desiredAPIVersion is missing");
  }
  if (!Array.isArray(objects)) throw new BadReviewError(400, "request.objects is not a list");
  return { uid, desiredAPIVersion, objects };
}

/**
 * Converts the objects of a review; returns its response. An object that has the desired version is
 * returned as it is. One object that cannot be converted fails the review, whose message names the
 * object. Never rejects; `onFailure` receives the error.
 */
export async function reviewConversion(
  conversions: readonly Conversion[],
  { uid, desiredAPIVersion, objects }: ConversionRequest,
  onFailure: (error: unknown, message: string) => void,
): Promise<ConversionResponse> {
  const converted: KubeObject[] = [];
  for (const [at, object] of objects.entries()) {
    try {
      converted.push(await convertOne(conversions, object, desiredAPIVersion));
    } catch (error) {
      const message = `Cannot convert ${nameOf(object, at)} to ${desiredAPIVersion}: ` +
        errorText(error).slice(0, MESSAGE_CHARACTERS);
      onFailure(error, message);
      return { uid, result: { status: "Failure", message }, convertedObjects: [] };
    }
  }
  return { uid, result: { status: "Success" }, convertedObjects: converted };
}

/** The largest length of a conversion function's error message in the response, in characters. */
const MESSAGE_CHARACTERS = 1_024;

async function convertOne(
  conversions: readonly Conversion[],
  value: unknown,
  desired: string,
): Promise<KubeObject> {
  const object = checkedObject(value);
  const [group, version] = partsOf(desired);
  const [from, fromVersion] = partsOf(object.apiVersion!);
  if (from !== group) throw new Error(`the object is of group ${goQuote(from)}`);
  const conversion = conversions.find((each) => each.group === group && each.kind === object.kind);
  if (!conversion) {
    throw new Error(`this webhook does not convert ${object.kind} of group ${goQuote(group)}`);
  }
  const known = conversion.versions.join(", ");
  for (const each of [fromVersion, version]) {
    if (!conversion.versions.includes(each)) {
      throw new Error(`version ${goQuote(each)} is unknown; known are ${known}`);
    }
  }
  if (fromVersion === version) return object;
  const { metadata } = object;
  const result: unknown = await conversion.convert(
    { ...object, metadata: copyOf(metadata) },
    version,
  );
  return withIdentity(result, { ...object, apiVersion: desired, metadata });
}

/**
 * Returns the result of a conversion function, to which the desired API version, the kind of the
 * original, and the original's metadata except labels and annotations are added, as the API server
 * expects. A result without metadata keeps the original's labels and annotations.
 *
 * @throws {TypeError} When the result is not an object, has a value that JSON does not have, or
 * another name, namespace or UID.
 * @throws {RangeError} When the result contains itself, or is nested too deeply.
 */
function withIdentity(result: unknown, original: KubeObject): KubeObject {
  if (typeof result !== "object" || result === null || Array.isArray(result)) {
    throw new TypeError(`the conversion returned a value that is ${described(result)}`);
  }
  // JSON would turn a value such as NaN into null, and the API server would store null.
  const { metadata: given, ...rest } = asJson(result, "") as Partial<KubeObject>;
  const { apiVersion, kind, metadata } = original;
  for (const name of ["name", "namespace", "uid"] as const) {
    if (given?.[name] === undefined || given[name] === metadata[name]) continue;
    throw new TypeError(`the conversion changed metadata.${name}, which is fixed`);
  }
  const { labels: _, annotations: __, ...fixed } = metadata;
  const { labels, annotations } = given ?? metadata;
  return {
    ...rest,
    apiVersion: apiVersion!,
    kind: kind!,
    metadata: {
      ...fixed,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
  };
}

function checkedObject(value: unknown): KubeObject {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<KubeObject>;
  const isObject = typeof apiVersion === "string" && typeof kind === "string" &&
    typeof metadata === "object" && metadata !== null;
  if (!isObject) throw new TypeError("it has no apiVersion, kind or metadata");
  return value as KubeObject;
}

/** Splits an API version into group and version. */
function partsOf(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
}

function nameOf(value: unknown, at: number): string {
  const { kind, metadata } = (value ?? {}) as Partial<KubeObject>;
  if (typeof kind !== "string" || typeof metadata?.name !== "string") return `objects[${at}]`;
  const { namespace, name } = metadata;
  return `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
}

function copyOf(metadata: ObjectMeta): ObjectMeta {
  return structuredClone(metadata);
}
