import { CustomResourceDefinition } from "@xca/apimachinery/meta";
import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import { isNotFound } from "../../../lib/client/mod.ts";
import { DefinitionError, readDefinitions } from "../../../lib/resource/evolution/mod.ts";
import { connect } from "../../connect.ts";
import type { CliContext } from "../../context.ts";
import { fileProblem } from "../../file_problem.ts";
import type { GlobalFlags } from "../../global_flags.ts";
import { MissingResourceError } from "../../missing_resource.ts";
import { UsageError } from "../../usage_error.ts";

/**
 * Loads CustomResourceDefinitions: from standard input for `-`, or from a file of one or more
 * manifests; if there is no such file, from the cluster for a name such as `locks.example.org`.
 *
 * @throws {UsageError} When the file cannot be read or parsed, or has no definition.
 * @throws {MissingResourceError} When the cluster lacks the definition.
 */
export async function loadDefinitions(
  source: string,
  flags: GlobalFlags,
  context: CliContext,
): Promise<readonly V1CustomResourceDefinition[]> {
  if (source === "-") return await parse(await context.readInput(), "standard input");
  try {
    return await parse(await context.host.readFile(source), source);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (isDefinitionName(source) && isMissing(error)) return [await load(source, flags, context)];
    const next =
      "give a file, - for standard input, or the name of a definition in the cluster, as " +
      "locks.example.org";
    throw new UsageError(`Cannot read ${source}: ${fileProblem(error, source, next)}`);
  }
}

async function parse(
  bytes: Uint8Array,
  source: string,
): Promise<readonly V1CustomResourceDefinition[]> {
  const { parseManifests } = await import("@xca/apiserver");
  try {
    return readDefinitions(parseManifests(new TextDecoder().decode(bytes)), source);
  } catch (error) {
    if (error instanceof DefinitionError) throw new UsageError(error.message);
    throw new UsageError(`Cannot parse ${source}: ${(error as Error).message}`);
  }
}

/**
 * Reports whether a word can be the name of a CustomResourceDefinition: a plural name and a group.
 * A word that ends with `.yaml`, `.yml` or `.json` counts as the name of a file.
 */
export function isDefinitionName(word: string): boolean {
  return /^[a-z]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/.test(word) &&
    !/\.(ya?ml|json)$/.test(word);
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || (error as { code?: unknown }).code === "ENOENT";
}

async function load(
  name: string,
  flags: GlobalFlags,
  context: CliContext,
): Promise<V1CustomResourceDefinition> {
  await using connection = await connect(flags, context);
  try {
    return await connection.client.get(
      CustomResourceDefinition,
      name,
    ) as unknown as V1CustomResourceDefinition;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new MissingResourceError(
      `there is no file ${name}, and the cluster has no definition of this name; ` +
        "see: kubectl get crd",
      { cause: error },
    );
  }
}
