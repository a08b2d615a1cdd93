/**
 * What the examples have in common when they are run as programs, and what is no idea of theirs.
 *
 * @module
 */
import { ApiError, ConfigError, UnreachableError } from "@xca/operator/client";
import { processContext } from "../cli/context.ts";
import { startLogging } from "../cli/logging.ts";
import { reportError } from "../cli/report_error.ts";

/**
 * Runs the main part of an example. The library's log goes to standard error: that a cluster does not
 * answer, and that it is waited for. When there is none, or it refuses, that is said in one line, with
 * the exit codes of `kubectl xca`; another error is a bug, and keeps its stack trace.
 */
export async function runExample(main: () => Promise<void>): Promise<void> {
  const { err } = processContext();
  await using _logging = await startLogging({ verbosity: 0, format: "text", write: err });
  try {
    await main();
  } catch (error) {
    const noCluster = error instanceof ConfigError || error instanceof UnreachableError;
    if (!noCluster && !(error instanceof ApiError)) throw error;
    const { text, code } = reportError(error, "deno run");
    const next = "; an example takes the cluster of KUBECONFIG, and `kubectl xca serve` is one";
    err(`${text}${noCluster ? next : ""}\n`);
    Deno.exitCode = code;
  }
}
