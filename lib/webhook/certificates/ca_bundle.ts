import type { Client } from "../../client/typed/client.ts";
import { ignoreNotFound, isConflict, isInvalid } from "../../client/errors/api_error.ts";
import { jsonPatch, type JsonPatchOperation } from "../../client/typed/patch.ts";
import {
  CustomResourceDefinition,
  type KubeObject,
  MutatingWebhookConfiguration,
  type ResourceType,
  ValidatingWebhookConfiguration,
} from "@xca/apimachinery/meta";
import { decoded, encoded } from "./own_material.ts";

/**
 * The names of the objects whose `caBundle` `ownCertificates` keeps equal to the certificate
 * authorities of a webhook server.
 */
export interface CaBundleTargets {
  /** The names of the MutatingWebhookConfigurations whose `caBundle` is updated. @default none */
  readonly mutating?: readonly string[] | undefined;
  /** The names of the ValidatingWebhookConfigurations whose `caBundle` is updated. @default none */
  readonly validating?: readonly string[] | undefined;
  /**
   * The names of the CustomResourceDefinitions with the server as their conversion webhook, whose
   * `caBundle` is updated.
   *
   * @default none
   */
  readonly crds?: readonly string[] | undefined;
}

/** An object whose `caBundle` is kept equal to the webhook server's certificate authorities. */
export interface CaBundleTarget {
  /** The resource type of the object whose `caBundle` is kept. */
  readonly type: ResourceType;
  /** The name of the object whose `caBundle` is kept. */
  readonly name: string;
}

/**
 * The certificate authorities that {@linkcode injectCaBundle} writes: those known to the caller,
 * and a function that reads the present ones.
 */
export interface BundleToInject {
  /** The certificate authorities that the caller knows already, as PEM text. */
  readonly known: string;
  /** Reads the webhook server's present certificate authorities, as PEM text; empty for none. */
  readonly read: () => Promise<string>;
  /** The signal that aborts the requests of the injection. */
  readonly signal?: AbortSignal | undefined;
}

/** The number of attempts to write the `caBundle` of one object when writes conflict. */
const WRITE_TRIES = 5;

/** Returns the objects that injection targets name, as a list without duplicates. */
export function targetsOf({ mutating, validating, crds }: CaBundleTargets): CaBundleTarget[] {
  const of = (type: ResourceType, names: readonly string[] = []): CaBundleTarget[] =>
    [...new Set(names)].map((name) => ({ type, name }));
  return [
    ...of(MutatingWebhookConfiguration, mutating),
    ...of(ValidatingWebhookConfiguration, validating),
    ...of(CustomResourceDefinition, crds),
  ];
}

/**
 * Writes certificate authorities into the `caBundle` of an object, by a patch of only that field at
 * the resourceVersion that was read. Returns `"kept"` when each webhook of the object has `known`
 * already, or the object has no webhook, `"written"` when the object has the present authorities,
 * which this call or another replica wrote, `"absent"` when the object does not exist, and
 * `"pending"` when there are no authorities at present because they were deleted.
 *
 * After the object was read and before a write, `read` is called for the present authorities: a
 * replica that was suspended for a while can then not replace newer authorities with those that it
 * remembers.
 *
 * @throws {ApiError} When the server refuses a request, for example for lack of permission, or
 * {@linkcode WRITE_TRIES} writes in a row conflict.
 * @throws {unknown} The error of `read`.
 */
export async function injectCaBundle(
  client: Pick<Client, "get" | "patch">,
  { type, name }: CaBundleTarget,
  { known, read, signal }: BundleToInject,
): Promise<"kept" | "written" | "absent" | "pending"> {
  for (let tries = 1;; tries++) {
    const object = await ignoreNotFound(client.get(type, name, { signal }));
    if (!object) return "absent";
    if (bundleOperations(object, encoded(known)).length === 0) return "kept";
    const bundle = await read();
    if (bundle === "") return "pending";
    const operations = bundleOperations(object, encoded(bundle));
    if (operations.length === 0) return "written";
    const { resourceVersion } = object.metadata;
    const version = { op: "replace" as const, path: "/metadata/resourceVersion" };
    try {
      await client.patch(
        type,
        name,
        jsonPatch([{ ...version, value: resourceVersion }, ...operations]),
        { signal },
      );
      return "written";
    } catch (error) {
      // A webhook that was removed meanwhile makes the patch impossible before the versions are compared.
      if (!isConflict(error) && !isInvalid(error) || tries >= WRITE_TRIES) throw error;
    }
  }
}

/**
 * Returns the authorities in each `caBundle` of an object, joined as PEM text, with duplicates;
 * empty when the object has no `caBundle` or does not exist.
 */
export async function readCaBundle(
  client: Pick<Client, "get">,
  { type, name }: CaBundleTarget,
  signal?: AbortSignal,
): Promise<string> {
  const object = await ignoreNotFound(client.get(type, name, { signal }));
  if (!object) return "";
  return clientConfigsOf(object).map(({ clientConfig }) => decoded(clientConfig?.caBundle ?? ""))
    .join("");
}

/**
 * The fields of a webhook configuration or CustomResourceDefinition in which it refers to servers.
 */
interface Configured extends KubeObject {
  readonly webhooks?: readonly { readonly clientConfig?: { readonly caBundle?: string } }[];
  readonly spec?: {
    readonly conversion?: {
      readonly webhook?: { readonly clientConfig?: { readonly caBundle?: string } };
    };
  };
}

/**
 * Returns the `clientConfig` of each webhook of a configuration, or of the conversion webhook of a
 * CustomResourceDefinition, with the JSON pointer of its `caBundle`; an empty list without
 * webhooks.
 */
function clientConfigsOf(
  object: KubeObject,
): { clientConfig: { readonly caBundle?: string } | undefined; path: string }[] {
  const { webhooks = [], spec } = object as Configured;
  const conversion = spec?.conversion?.webhook?.clientConfig;
  const found = webhooks.map(({ clientConfig }, index) => ({
    clientConfig,
    path: `/webhooks/${index}/clientConfig/caBundle`,
  }));
  const path = "/spec/conversion/webhook/clientConfig/caBundle";
  return conversion ? [...found, { clientConfig: conversion, path }] : found;
}

/**
 * Returns the patch operations that set the `caBundle` of each webhook of an object whose
 * `caBundle` differs.
 */
function bundleOperations(object: KubeObject, caBundle: string): JsonPatchOperation[] {
  return clientConfigsOf(object)
    .filter(({ clientConfig }) => clientConfig !== undefined && clientConfig.caBundle !== caBundle)
    .map(({ path }) => ({ op: "add", path, value: caBundle }));
}
