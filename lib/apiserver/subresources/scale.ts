// Mirrors `registry/customresource/etcd.go, ScaleREST`.
import {
  parentEntries,
  type ReplicasPaths,
  scaleEntries,
} from "../managed_fields/scale_handler.ts";
import {
  badRequest,
  type FieldError,
  FieldPath,
  internalError,
  invalid,
  invalidObject,
  notFound,
} from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Endpoint } from "../machinery/endpoint.ts";
import type { RequestContext } from "../machinery/request_context.ts";
import type { ApiResource } from "../machinery/resource.ts";
import { apiVersionOf } from "../machinery/keys.ts";
import { validateManagedFields } from "../validation/object_meta.ts";
import { failedPrecondition } from "./failed_precondition.ts";
import { replicasPath, type Scale, scaleOf, setReplicas, wantedReplicas } from "./scale_object.ts";

/**
 * The replica count that stands for an absent one in a Scale, so that a patch without a count is
 * recognized.
 */
const NONE = -(2 ** 31);

/** The endpoint of the `scale` subresource of all kinds that have one, built in or custom. */
export const scaleEndpoint: Endpoint = {
  async get(context, registry) {
    const { group, plural } = context.resource;
    const object = await registry.read(addressOf(context));
    if (!object) throw notFound({ group, resource: plural }, context.name);
    if (context.resource.scalePaths && wantedReplicas(context.resource, object) === undefined) {
      const path = context.resource.scalePaths.specReplicasPath;
      throw internalError(`the spec replicas field ${JSON.stringify(path)} does not exist`);
    }
    return scaleOf(context.resource, object);
  },
  async update(change, context, registry) {
    const { user, dryRun, fieldManager } = context;
    const warn = (text: string): void => context.warn(text);
    const written = await registry.update(
      addressOf(context),
      (parent) => rescale(context, parent, change),
      { user, dryRun, fieldManager, subresource: "scale", managed: true, warn },
    );
    return scaleOf(context.resource, written);
  },
};

function addressOf({ resource, namespace, name }: RequestContext) {
  const { group, plural, version } = resource;
  return { group, resource: plural, version, namespace, name };
}

/**
 * Changes an object by a change of its Scale, in place: sets the replica count and its field
 * managers.
 *
 * @throws {StatusError} 400 if the changed Scale has no replica count; 422 if the replica count or
 * the managed fields are invalid; 409 if it has another uid than the object; the error of `change`.
 */
function rescale(
  context: RequestContext<ApiResource>,
  parent: ApiObject,
  change: (scale: ApiObject) => ApiObject,
): ApiObject {
  const { resource, name } = context;
  const paths = replicasPaths(resource);
  const scale = scaleOf(resource, parent);
  if (wantedReplicas(resource, parent) === undefined) scale.spec.replicas = NONE;
  const entries = scaleEntries(parent.metadata.managedFields, paths);
  if (entries.length > 0) scale.metadata.managedFields = entries;

  const changed = change(scale) as Scale;
  const { replicas = 0 } = changed.spec ?? {};
  if (replicas === NONE) {
    const path = resource.scalePaths?.specReplicasPath ?? ".spec.replicas";
    throw badRequest(`the spec replicas field ${JSON.stringify(path)} cannot be empty`);
  }
  // The schema of a custom resource validates its replica count.
  const errors = resource.scalePaths ? [] : validateScale(changed);
  if (errors.length > 0) {
    throw invalidObject({ group: "autoscaling", kind: "Scale" }, name, errors);
  }
  const { uid, resourceVersion, managedFields } = changed.metadata;
  if (uid && uid !== parent.metadata.uid) {
    throw failedPrecondition(
      context,
      { what: "UID", wanted: uid, found: parent.metadata.uid! },
      { group: resource.group, resource: resource.plural },
    );
  }

  setReplicas(resource, parent, replicas);
  if (resourceVersion) parent.metadata.resourceVersion = resourceVersion;
  // The update of a custom object requires the version that was read; other kinds are overwritten.
  else if (!resource.scalePaths) delete parent.metadata.resourceVersion;
  const version = apiVersionOf(resource);
  const owners = parentEntries(parent.metadata.managedFields, managedFields, paths, version);
  if (owners) parent.metadata.managedFields = owners;
  else delete parent.metadata.managedFields;
  return parent;
}

function validateScale({ metadata, spec }: Scale): FieldError[] {
  // Only the managers of the metadata are kept.
  const errors = validateManagedFields(metadata.managedFields ?? []);
  const { replicas = 0 } = spec ?? {};
  if (replicas < 0) {
    const why = "must be greater than or equal to 0";
    errors.push(invalid(FieldPath.of("spec", "replicas"), replicas, why));
  }
  return errors;
}

/**
 * Returns the field path of the replica count for each version in which a field manager may own it.
 */
function replicasPaths(resource: ApiResource): ReplicasPaths {
  const owned = (path: readonly string[]): string[] => path.map((field) => `f:${field}`);
  if (!resource.replicasPaths) {
    return new Map([[apiVersionOf(resource), owned(replicasPath(resource))]]);
  }
  return new Map(
    [...resource.replicasPaths].map(([version, path]) => [
      version,
      path === undefined ? undefined : owned(path.replace(/^\./, "").split(".")),
    ]),
  );
}
