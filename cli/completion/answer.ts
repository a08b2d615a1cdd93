import type { Command } from "@commander-js/extra-typings";
import type { CliContext } from "../context.ts";
import { CRD_FORMATS, PRINTABLE_STEPS } from "../commands/crd/crd.ts";
import { TYPES_FORMS } from "../commands/crd/types.ts";
import { PERMISSIONS_FORMATS } from "../commands/permissions.ts";
import { CERTIFICATES, MANIFEST_FORMATS } from "../commands/project/manifests.ts";
import { RBAC_FORMATS } from "../commands/rbac/rbac.ts";
import { LOG_FORMATS } from "../global_flags.ts";
import { OUTPUT_FORMATS } from "../output/format.ts";
import { complete, completionText, type FixedValues } from "./complete.ts";
import { lookUp } from "./look_up.ts";
import { SHELLS } from "./scripts.ts";

const VALUES: FixedValues = {
  certificates: CERTIFICATES,
  "completion shell": SHELLS,
  "diff format": CRD_FORMATS,
  logFormat: LOG_FORMATS,
  "manifests format": MANIFEST_FORMATS,
  "permissions output": PERMISSIONS_FORMATS,
  "plan format": CRD_FORMATS,
  "plan print": PRINTABLE_STEPS,
  "rbac output": RBAC_FORMATS,
  "status output": OUTPUT_FORMATS,
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
  "build-installer project",
  "bundle project",
  "certificateAuthority",
  "clientCertificate",
  "clientKey",
  "data",
  "deploy project",
  "diff new",
  "diff old",
  "init folder",
  "install project",
  "kubeconfig",
  "library",
  "manifests",
  "manifests project",
  "metricsCertPath",
  "observed",
  "output",
  "plan new",
  "plan old",
  "rbac project",
  "run module",
  "seed",
  "types source",
  "undeploy project",
  "uninstall project",
  "webhookCertPath",
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
