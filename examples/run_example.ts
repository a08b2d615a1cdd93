/**
 * Common code of the examples when they run as programs.
 *
 * @module
 */
import { startLogging } from "@xca/operator";
import { ApiError, ConfigError, UnreachableError } from "@xca/operator/client";
import { RunnableError } from "@xca/operator/manager";
import { processContext } from "../cli/context.ts";
import { type ErrorReport, reportError } from "../cli/report_error.ts";

/**
 * Runs the main function of an example. The library's log goes to standard error, including waits
 * for a cluster. A missing or refusing cluster is reported as one line, with the exit codes of
 * `kubectl xca`; another error is a bug and keeps its stack trace.
 */
export async function runExample(main: () => Promise<void>): Promise<void> {
  const { err } = processContext();
  await using _logging = await startLogging();
  try {
    await main();
  } catch (thrown) {
    const error = thrown instanceof RunnableError ? thrown.cause : thrown;
    const isOfCluster = [ApiError, ConfigError, UnreachableError].some((type) =>
      error instanceof type
    );
    if (!isOfCluster) throw thrown;
    const { text, code } = reportWithoutFlags(error);
    err(`${text}\n`);
    Deno.exitCode = code;
  }
}

/**
 * Returns the report of `kubectl xca` on an error, with advice that needs none of its flags, for
 * programs that do not have them.
 */
export function reportWithoutFlags(error: unknown): ErrorReport {
  const { text, code } = reportError(error, "deno run");
  const another = "; or have KUBECONFIG name another, such as one of your own: kubectl xca serve";
  const possible = text.replaceAll("--kubeconfig or KUBECONFIG", "KUBECONFIG")
    .replaceAll("with --context", "with kubectl config use-context");
  return { text: `${possible}${error instanceof UnreachableError ? another : ""}`, code };
}
