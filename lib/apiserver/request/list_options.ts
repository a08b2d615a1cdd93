// Mirrors `apis/meta/internalversion/validation/validation.go, ValidateListOptions`.
import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalidObject,
  notSupported,
} from "@xca/apimachinery/internal/errors";
import { booleanParameter } from "@xca/apimachinery/internal/values";
import { type FieldSelector, parseFieldSelector } from "./field_selector.ts";
import { type LabelMatch, parseLabelSelector } from "./label_selector.ts";
import { int64Parameter } from "../machinery/query_values.ts";

/**
 * The `ListOptions` of a list or watch request. Empty texts and the `limit` 0 stand for absent
 * parameters.
 */
export interface ListOptions {
  readonly labels: LabelMatch | undefined;
  readonly fields: FieldSelector | undefined;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

const EXACT = "Exact";
const NOT_OLDER = "NotOlderThan";

/**
 * Returns the `ListOptions` in the query of a list or watch request, after validation. With
 * `forceWatch` the request is a watch even without the parameter `watch`, but then has the options
 * of a list checked.
 *
 * @throws {StatusError} 400 or 422
 */
export function listOptions(query: URLSearchParams, forceWatch = false): ListOptions {
  const timeoutSeconds = int64Parameter(query, "timeoutSeconds");
  const limit = int64Parameter(query, "limit") ?? 0;
  const options = {
    labels: parseLabelSelector(query.get("labelSelector") ?? ""),
    fields: parseFieldSelector(query.get("fieldSelector") ?? ""),
    watch: booleanParameter(query, "watch") ?? false,
    allowWatchBookmarks: booleanParameter(query, "allowWatchBookmarks") ?? false,
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    timeoutSeconds,
    limit,
    continueToken: query.get("continue") ?? "",
    sendInitialEvents: booleanParameter(query, "sendInitialEvents"),
  };
  const errors = options.watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) {
    throw invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  }
  return { ...options, watch: options.watch || forceWatch };
}

const MATCH = FieldPath.of("resourceVersionMatch");

function listErrors(options: ListOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  const errors: FieldError[] = [];
  if (match !== "") {
    if (resourceVersion === "") {
      const why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
      errors.push(forbiddenField(MATCH, why));
    }
    if (options.continueToken !== "") {
      const why = "resourceVersionMatch is forbidden when continue is provided";
      errors.push(forbiddenField(MATCH, why));
    }
    if (match !== EXACT && match !== NOT_OLDER) {
      errors.push(notSupported(MATCH, match, [EXACT, NOT_OLDER, ""]));
    }
    if (match === EXACT && resourceVersion === "0") {
      const why = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
      errors.push(forbiddenField(MATCH, why));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    const why = "sendInitialEvents is forbidden for list";
    errors.push(forbiddenField(FieldPath.of("sendInitialEvents"), why));
  }
  return errors;
}

function watchErrors(options: ListOptions): FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== NOT_OLDER) {
    const why = `sendInitialEvents requires setting resourceVersionMatch to ${NOT_OLDER}`;
    errors.push(forbiddenField(MATCH, why));
  }
  if (match === "") return errors;
  if (sendInitialEvents === undefined) {
    const why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
    errors.push(forbiddenField(MATCH, why));
  }
  if (match !== NOT_OLDER) errors.push(notSupported(MATCH, match, [NOT_OLDER]));
  if (options.continueToken !== "") {
    const why = "resourceVersionMatch is forbidden when continue is provided";
    errors.push(forbiddenField(MATCH, why));
  }
  return errors;
}
