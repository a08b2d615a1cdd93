// Mirrors `endpoints/handlers/rest.go, ConnectResource`.
import { badRequest } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Connecter, ConnectOptions } from "../../machinery/endpoint.ts";
import { mutate, validate } from "../objects/admit.ts";
import { type Call, contextOf } from "./call.ts";

/**
 * Opens the connection that a request asks for, such as `pods/exec`, once admission has admitted
 * its options, and returns the response of the other server. The connection is opened with the
 * options as mutating admission has changed them.
 *
 * @throws {StatusError} 400 for a dry run, whose effects on another server are unknown; 403 if
 * the user may not create the connection; the error with which admission or the connecter refuses
 * the connection.
 */
export async function connectAnswer(call: Call, connecter: Connecter): Promise<Response> {
  const { registry, request, info } = call;
  if (info.query.has("dryRun")) throw badRequest("dryRun is not supported");
  const context = contextOf(call);
  const options = connecter.options(request, context) as unknown as ApiObject;
  const admitted = (await mutate(registry, context, "CONNECT", options, undefined))!;
  await validate(registry, context, "CONNECT", admitted, undefined);
  if (connecter.needsCreate && info.verb !== "create") call.authorizeConnection();
  return await connecter.connect(
    admitted as unknown as ConnectOptions,
    request,
    context,
    registry,
  );
}
