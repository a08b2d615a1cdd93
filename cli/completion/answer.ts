import type { Command } from "@commander-js/extra-typings";
import type { CliContext } from "../context.ts";
import { CRD_FORMATS } from "../commands/crd/crd.ts";
import { TYPES_FORMS } from "../commands/crd/types.ts";
import { PERMISSIONS_FORMATS } from "../commands/permissions.ts";
import { RBAC_FORMATS } from "../commands/rbac/rbac.ts";
import { LOG_FORMATS } from "../global_flags.ts";
import { OUTPUT_FORMATS } from "../output/format.ts";
import { complete, completionText, type FixedValues } from "./complete.ts";
import { lookUp } from "./look_up.ts";
import { SHELLS } from "./scripts.ts";

const VALUES: FixedValues = {
  "completion shell": SHELLS,
  logFormat: LOG_FORMATS,
  output: OUTPUT_FORMATS,
  "permissions output": PERMISSIONS_FORMATS,
  "rbac output": RBAC_FORMATS,
  format: CRD_FORMATS,
  "types output": TYPES_FORMS,
};

const LOOKED_UP: ReadonlySet<string> = new Set([
  "cluster",
  "context",
  "lease",
  "namespace",
  "operatorNamespace",
  "serviceAccount",
  "status names",
  "user",
  "why object",
]);

const FILES: ReadonlySet<string> = new Set([
  "audit",
  "certificateAuthority",
  "clientCertificate",
  "clientKey",
  "data",
  "diff old",
  "kubeconfig",
  "metricsCertPath",
  "manifests",
  "observed",
  "rbac project",
  "run module",
  "seed",
  "types source",
  "writeKubeconfig",
]);

/**
 * Writes the shell completions of the last of `words` in the protocol of cobra, which kubectl and
 * its generated shell scripts use: one candidate per line, a tab before its description, and at the
 * end a directive for the shell, such as `:4`: the sum of 2 for no space after the word, and 4 for
 * no completion of file names.
 */
export async function answerCompletion(
  program: Command,
  words: readonly string[],
  context: CliContext,
): Promise<void> {
  const completion = await complete(program, words, {
    values: VALUES,
    lookedUp: LOOKED_UP,
    files: FILES,
    lookUp: (what, flags, word) => lookUp({ what, flags, word }, context),
  });
  context.out(completionText(completion));
}
