import { type Client, isNotFound } from "../../../lib/client/mod.ts";
import { formatKey, isPathSegment } from "@xca/apimachinery/meta";
import type { Xca } from "../../../lib/xca/mod.ts";
import { xcaType } from "../../../lib/xca/xca_type.ts";
import { connect } from "../../connect.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { isForeignAnswer, missingResource, refuseOtherServers } from "../../missing_resource.ts";
import {
  documentText,
  listDocument,
  type OutputFormat,
  withoutManagedFields,
} from "../../output/format.ts";
import { tableLines } from "../../output/table.ts";
import { xcaHeader, xcaName, xcaRow } from "../../output/xca_table.ts";
import { apiErrorText } from "../../report_error.ts";
import { UsageError } from "../../usage_error.ts";
import { isObjectMissing, listAll, noneFound } from "./xca_list.ts";
import { checkStatusFlags, type StatusFlags } from "./status.ts";

/**
 * Runs `kubectl xca status`: prints which Xca objects are active. Returns exit code 1 if a printed
 * object is not active, or a named one is missing. With `--watch`, also prints changes until an
 * interrupt, and returns its exit code.
 *
 * @throws {UsageError} When flags or names contradict each other, or the server cannot parse the
 * selector.
 * @throws {MissingResourceError} When the server does not serve the kind.
 */
export async function status(
  given: readonly string[],
  flags: StatusFlags,
  context: CliContext,
): Promise<ExitCode> {
  checkStatusFlags(given, flags);
  const names = given.map(objectName);
  await using connection = await connect(flags, context);
  const { client, config } = connection;
  const namespace = flags.allNamespaces ? undefined : config.namespace ?? "default";
  if (flags.watch) {
    const { watchStatus } = await import("./status_watch.ts");
    return await watchStatus({ client, namespace, names, flags, context });
  }

  const { found, missing } = names.length > 0
    ? await getEach(client, namespace!, names)
    : { found: (await listAll(client, namespace, flags.selector)).items, missing: [] };
  await print(found, names, namespace, flags, context);
  for (const line of missing) context.err(`${line}\n`);
  return missing.length === 0 && found.every((xca) => xca.status?.active === true)
    ? ExitCode.ok
    : ExitCode.notSo;
}

/**
 * Returns the name of the Xca object in an argument of `kubectl xca status`: without the kind or
 * plural before it, such as `xca/` or, as `-o name` prints it, `xca.GROUP/`.
 *
 * @throws {UsageError} When the rest cannot be an object name.
 */
function objectName(argument: string): string {
  const kinds = [xcaType.kind.toLowerCase(), xcaType.plural].flatMap((
    kind,
  ) => [kind, `${kind}.${xcaType.group}`]);
  const kind = kinds.find((each) => argument.startsWith(`${each}/`));
  const name = kind === undefined ? argument : argument.slice(kind.length + 1);
  if (isPathSegment(name)) return name;
  throw new UsageError(
    `${JSON.stringify(argument)} cannot be an Xca object: give its name, or xca/NAME`,
  );
}

async function getEach(
  client: Client,
  namespace: string,
  names: readonly string[],
): Promise<{ found: Xca[]; missing: string[] }> {
  const found: Xca[] = [];
  const missing: string[] = [];
  for (const name of names) {
    try {
      found.push(await client.get(xcaType, formatKey({ namespace, name })));
    } catch (error) {
      if (isForeignAnswer(error)) await refuseOtherServers(client);
      if (isObjectMissing(error, name)) missing.push(apiErrorText(error));
      else throw isNotFound(error) ? await missingResource(client, xcaType, error) : error;
    }
  }
  return { found, missing };
}

async function print(
  found: readonly Xca[],
  names: readonly string[],
  namespace: string | undefined,
  flags: StatusFlags,
  context: CliContext,
): Promise<void> {
  const format: OutputFormat = flags.output ?? "table";
  if (format === "json" || format === "yaml") {
    const [only] = found;
    if (names.length === 1 && !only) return;
    const shown = found.map(withoutManagedFields);
    const document = names.length === 1 ? shown[0] : listDocument(shown);
    return context.out(await documentText(document, format));
  }
  if (found.length === 0) {
    if (names.length === 0 && format !== "name") context.err(`${noneFound(namespace)}\n`);
    return;
  }
  if (format === "name") {
    for (const xca of found) {
      context.out(`${xcaName(xca)}\n`);
    }
    return;
  }
  const options = { namespaces: flags.allNamespaces ?? false, wide: format === "wide" };
  const now = context.clock.now();
  const rows = [xcaHeader(options), ...found.map((xca) => xcaRow(xca, options, now))];
  context.out(tableLines(rows).map((line) => `${line}\n`).join(""));
}
