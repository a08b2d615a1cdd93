import { X509Certificate } from "node:crypto";
import { type FieldError, FieldPath, invalid, tooLong } from "@xca/apimachinery/internal/errors";
import { byteLength, subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type { V1ClusterTrustBundle } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { validateImmutable } from "../../validation/immutable.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateSignerName } from "./signer_name.ts";

const SIGNER = FieldPath.of("spec", "signerName");
const BUNDLE = FieldPath.of("spec", "trustBundle");
const NAME = FieldPath.of("metadata", "name");
const MAX_BUNDLE = 1024 * 1024;

/**
 * The strategy of ClusterTrustBundles, which validates writes
 * (registry/certificates/clustertrustbundle, `Strategy`).
 */
export const clusterTrustBundleStrategy: KindStrategy = typedStrategy<V1ClusterTrustBundle>({
  // The name depends on the signer, which only the validation of the object knows.
  validateName: () => [],
  validateCreate: (bundle) => [...validateSigner(bundle), ...validateBundle(bundle)],
  validateUpdate: (bundle, old) => [
    ...validateSigner(bundle),
    ...bundle.spec.trustBundle === old.spec.trustBundle ? [] : validateBundle(bundle),
    ...validateImmutable(bundle.spec.signerName ?? "", old.spec.signerName ?? "", SIGNER),
  ],
  allowUnconditionalUpdate: false,
  selectableFields: ({ spec }) => ({ "spec.signerName": spec?.signerName ?? "" }),
  selectableFieldNames: ["spec.signerName"],
});

function validateSigner({ metadata, spec }: V1ClusterTrustBundle): FieldError[] {
  const { signerName = "" } = spec;
  const { name = "" } = metadata;
  return [
    ...trustBundleNameProblems(name, signerName).map((problem) => invalid(NAME, name, problem)),
    ...signerName === "" ? [] : validateSignerName(SIGNER, signerName),
  ];
}

/**
 * Returns the problems of a ClusterTrustBundle's name, which must begin with the name of the
 * signer, with colons in place of slashes. An empty signer name means a bundle without a signer.
 */
export function trustBundleNameProblems(name: string, signerName: string): string[] {
  if (signerName === "") {
    if (!name.includes(":")) return subdomainNameProblems(name, false);
    return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  }
  const prefix = `${signerName.replaceAll("/", ":")}:`;
  if (name.startsWith(prefix)) return subdomainNameProblems(name.slice(prefix.length), false);
  return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}

function validateBundle({ spec: { trustBundle = "" } }: V1ClusterTrustBundle): FieldError[] {
  if (byteLength(trustBundle) > MAX_BUNDLE) return [tooLong(BUNDLE, MAX_BUNDLE)];
  const refuse = (detail: string): FieldError => invalid(BUNDLE, "<value omitted>", detail);
  const places = new Map<string, number[]>();
  const errors: FieldError[] = [];
  const blocks = trustBundle.matchAll(
    /-----BEGIN ([^-\n]+)-----\r?\n([\s\S]*?)-----END \1-----/g,
  );
  for (const [index, [text, type, content]] of [...blocks].entries()) {
    const problem = blockProblem(text, type!, content!);
    if (problem !== undefined) {
      errors.push(refuse(`entry ${index} ${problem}`));
      continue;
    }
    const bytes = content!.replace(/\s/g, "");
    places.set(bytes, [...places.get(bytes) ?? [], index]);
  }
  if (errors.length > 0) return errors;
  if (places.size === 0) return [refuse("at least one trust anchor must be provided")];
  return [...places.values()].filter(({ length }) => length > 1)
    .map((indices) => refuse(`duplicate trust anchor (indices [${indices.join(" ")}])`));
}

function blockProblem(text: string, type: string, content: string): string | undefined {
  if (type !== "CERTIFICATE") return `has bad block type: ${type}`;
  if (content.includes(":")) return "has PEM block headers";
  try {
    return new X509Certificate(text).ca ? undefined : "does not have the CA bit set";
  } catch {
    return "does not parse as X.509";
  }
}
