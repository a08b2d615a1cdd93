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

/** The objects whose `caBundle` is kept equal to the authorities of a webhook server, by their names. */
export interface CaBundleTargets {
  /** The names of MutatingWebhookConfigurations. @default none */
  readonly mutating?: readonly string[] | undefined;
  /** The names of ValidatingWebhookConfigurations. @default none */
  readonly validating?: readonly string[] | undefined;
  /** The names of CustomResourceDefinitions whose conversion webhook the server is. @default none */
  readonly crds?: readonly string[] | undefined;
}

/** One object whose `caBundle` is kept. */
export interface CaBundleTarget {
  /** The resource of the object. */
  readonly type: ResourceType;
  /** The name of the object. */
  readonly name: string;
}

/** The authorities that {@linkcode injectCaBundle} writes. */
export interface BundleToInject {
  /** The authorities as the caller knows them, as PEM text. */
  readonly known: string;
  /** Reads the authorities of now. */
  readonly read: () => Promise<string>;
  /** The signal that aborts the calls. */
  readonly signal?: AbortSignal | undefined;
}

/** The number of writes of one object that may meet a conflict. */
const WRITE_TRIES = 5;

/** Returns the objects of targets as a list. */
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
 * Writes authorities into the `caBundle` of an object, by a patch of that field alone on the version that
 * was read. Returns `"kept"` when the object has `known` already, `"absent"` when it does not exist, and
 * `"pending"` when there are no authorities now, since somebody has deleted them.
 *
 * Before a write `read` is called for the authorities of now, after the object was read: a replica that
 * was stopped for a while can then not replace newer authorities by those that it remembers.
 *
 * @throws {ApiError} When the server refuses, as without the right.
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

/** Reads the authorities that an object names, as PEM text; empty when it names none, or does not exist. */
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

/** A configuration of webhooks, or a CustomResourceDefinition, as far as it names servers. */
interface Configured extends KubeObject {
  readonly webhooks?: readonly { readonly clientConfig?: { readonly caBundle?: string } }[];
  readonly spec?: {
    readonly conversion?: {
      readonly webhook?: { readonly clientConfig?: { readonly caBundle?: string } };
    };
  };
}

/** Returns the `clientConfig` of each webhook of an object, with the path of its `caBundle`. */
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

/** Returns the operations that set the `caBundle` of each webhook of an object that has another one. */
function bundleOperations(object: KubeObject, caBundle: string): JsonPatchOperation[] {
  return clientConfigsOf(object)
    .filter(({ clientConfig }) => clientConfig !== undefined && clientConfig.caBundle !== caBundle)
    .map(({ path }) => ({ op: "add", path, value: caBundle }));
}
