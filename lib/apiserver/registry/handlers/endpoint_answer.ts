// Mirrors `endpoints/handlers/create.go, createHandler`.
import { runAll } from "@xca/apimachinery/internal/base";
import { badRequest, methodNotAllowed, StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { bodyTypeOf, kindOf, parseBody } from "../../decode/body.ts";
import { decodeObject } from "../../decode/decode_object.ts";
import { noteObject } from "../../machinery/audit_notes.ts";
import type { Endpoint } from "../../machinery/endpoint.ts";
import { patchedResource } from "../../patch/patched_resource.ts";
import { readBody } from "../../request/body.ts";
import { writeOptions } from "../../request/write_options.ts";
import { mutate, validate } from "../objects/admit.ts";
import { type Call, contextOf } from "./call.ts";
import { connectAnswer } from "./connect_answer.ts";
import { matchIdentity, matchNamespace } from "../objects/object_identity.ts";
import { readPatch } from "./patch_call.ts";
import { presentObject } from "./present.ts";
import type { VerbContext } from "../objects/verb_context.ts";
import { writeContext } from "./write_context.ts";

/**
 * Returns the response to a request for a special endpoint, such as `pods/log`, which the generic
 * verbs on stored objects do not serve.
 *
 * @throws {StatusError} 405 for a verb that the endpoint does not have; 400, 413, 415 or 422 for an
 * invalid body or option; the error of an admission plugin or of the endpoint.
 */
export async function endpointAnswer(call: Call, endpoint: Endpoint): Promise<Response> {
  const { info } = call;
  if (endpoint.connecter) return await connectAnswer(call, endpoint.connecter);
  if (info.verb === "create" && endpoint.create) return await createAt(call, endpoint);
  if (info.verb === "update" && endpoint.update) return await updateAt(call, endpoint.update);
  if (info.verb === "patch" && endpoint.update) return await patchAt(call, endpoint.update);
  const context = contextOf(call);
  if (endpoint.respond) {
    return await endpoint.respond(call.request, context, call.registry);
  }
  if (info.verb !== "get" || !endpoint.get) throw methodNotAllowed();
  return presentObject(call, 200, await endpoint.get(context, call.registry));
}

async function createAt(call: Call, endpoint: Endpoint): Promise<Response> {
  const bytes = await readBody(call.request);
  const options = writeOptions("CreateOptions", call.info.query);
  const context = contextOf(call, writeContext(call, options));
  const body = decodeAt(call, context, bytes, endpoint.acceptedVersions);
  matchNamespace(body, context);
  const admitted = (await mutate(call.registry, context, "CREATE", body, undefined))!;
  await validate(call.registry, context, "CREATE", admitted, undefined);
  const made = await endpoint.create!(admitted, context, call.registry);
  return presentObject(call, 201, made);
}

async function updateAt(call: Call, update: NonNullable<Endpoint["update"]>): Promise<Response> {
  const bytes = await readBody(call.request);
  const options = writeOptions("UpdateOptions", call.info.query);
  const context = contextOf(call, writeContext(call, options));
  const decode = (): ApiObject => {
    const object = decodeAt(call, context, bytes);
    matchIdentity(object, context);
    return object;
  };
  decode(); // A wrong body is refused before the object is looked up.
  const managers = call.registry.managers;
  const manager = managers.of(
    patchedResource(context.resource, context.subresource),
    context.subresource,
  );
  const changed = await update(
    (current) => {
      const next = decode();
      manager.update(current, next, context.fieldManager, context.now);
      return next;
    },
    context,
    call.registry,
  );
  return presentObject(call, 200, changed);
}

async function patchAt(call: Call, update: NonNullable<Endpoint["update"]>): Promise<Response> {
  const { context, change } = await readPatch(call);
  const patched = await update((current) => runAll(change(current)), context, call.registry);
  return presentObject(call, 200, patched);
}

function decodeAt(
  call: Call,
  context: VerbContext,
  bytes: Uint8Array,
  acceptedVersions: readonly string[] = [],
): ApiObject {
  const { resource, subresource } = call;
  try {
    return decodeWhole(call, context, bytes, acceptedVersions);
  } catch (error) {
    const ofCustom = resource.customResourceDefinition !== undefined && subresource !== undefined;
    const unread = error instanceof StatusError && error.code === 400 &&
      !error.message.startsWith("the API version in the data ");
    if (!ofCustom || !unread) throw error;
    // kube-apiserver's message about an unreadable scale of a custom resource names no cause.
    throw badRequest(
      `no kind is registered for the type v1.${subresource.kind} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
}

function decodeWhole(
  call: Call,
  context: VerbContext,
  bytes: Uint8Array,
  acceptedVersions: readonly string[],
): ApiObject {
  const { resource, subresource, request } = call;
  const contentType = request.headers.get("content-type") ?? "";
  const object = decodeObject({
    bytes,
    contentType,
    resource,
    ...(subresource && {
      kind: {
        group: subresource.group ?? resource.group,
        version: subresource.version ?? resource.version,
        kind: subresource.kind,
      },
    }),
    acceptedVersions,
    fieldValidation: context.fieldValidation,
    warn: (text) => context.warn(text),
  });
  object.metadata ??= {};
  noteObject(call.notes, object);
  // Only the managed fields of a custom resource's scale depend on whether the version was given.
  if (resource.scalePaths && !saysVersion(bytes, contentType)) delete object.apiVersion;
  if (!subresource) resource.strategy.defaults?.(object);
  return object;
}

function saysVersion(bytes: Uint8Array, contentType: string): boolean {
  return kindOf(parseBody(bytes, bodyTypeOf(contentType)).tree).version !== "";
}
