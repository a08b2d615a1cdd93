import { isNotFound } from "../../../lib/client/mod.ts";
import { migrateStorage, type StorageMigration } from "../../../lib/resource/evolution/mod.ts";
import { connect } from "../../connect.ts";
import type { CliContext } from "../../context.ts";
import { ExitCode } from "../../exit_code.ts";
import { interruptible } from "../../interruptible.ts";
import { MissingResourceError } from "../../missing_resource.ts";
import { UsageError } from "../../usage_error.ts";
import type { CrdMigrateFlags } from "./crd.ts";
import { isDefinitionName } from "./load_definitions.ts";

/**
 * Runs `kubectl xca crd migrate`: writes every object of a CustomResourceDefinition once, so that
 * each is stored in the storage version; with `--dry-run`, the API server only checks the writes.
 * Returns exit code 1 if the API server refused to write some objects, and that of an interrupt
 * after one.
 *
 * @throws {UsageError} When the name cannot be that of a CustomResourceDefinition, or the
 * definition serves no version.
 * @throws {MissingResourceError} When the cluster lacks the definition.
 * @throws {UnreachableError} When the server does not answer, also during the writes.
 * @throws {ApiError} When the server is overloaded or unavailable, also during the writes.
 */
export async function crdMigrate(
  name: string,
  flags: CrdMigrateFlags,
  context: CliContext,
): Promise<ExitCode> {
  if (!isDefinitionName(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} cannot be the name of a definition in the cluster, as ` +
        "locks.example.org",
    );
  }
  await using connection = await connect(flags, context);
  const { client } = connection;
  using stop = interruptible(context);
  try {
    const result = await migrateStorage(client, name, {
      signal: stop.signal,
      dryRun: flags.dryRun ?? false,
      onProgress: (written, all) => {
        if (written % 1000 === 0 && written > 0) context.err(`${written} of ${all} written\n`);
      },
    });
    return report(name, result, flags.dryRun ?? false, context);
  } catch (error) {
    if (stop.signal.aborted) return stop.code();
    if (error instanceof RangeError) throw new UsageError(error.message);
    if (!isNotFound(error)) throw error;
    throw new MissingResourceError(
      `the cluster has no definition ${name}; see: kubectl get crd`,
      { cause: error },
    );
  }
}

function report(
  name: string,
  { storageVersion, storedVersions, written, refused }: StorageMigration,
  dryRun: boolean,
  context: CliContext,
): ExitCode {
  for (const { object, reason } of refused) context.err(`${object} was refused: ${reason}\n`);
  const others = storedVersions.filter((version) => version !== storageVersion);
  if (refused.length > 0) {
    context.err(
      `error: ${refused.length} of ${
        written + refused.length
      } objects of ${name} are not stored as ` +
        `${storageVersion}; correct them and run the command again\n`,
    );
    return ExitCode.notSo;
  }
  if (others.length === 0) {
    context.out(`${name}: every object is stored as ${storageVersion} already\n`);
  } else if (dryRun) {
    context.out(`${name}: ${written} objects could be written as ${storageVersion} (dry run)\n`);
  } else {
    context.out(
      `${name}: ${written} objects written, all stored as ${storageVersion} now; removed ` +
        `${others.join(", ")} from status.storedVersions\n`,
    );
  }
  return ExitCode.ok;
}
