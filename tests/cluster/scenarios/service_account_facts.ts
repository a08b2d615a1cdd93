/**
 * The facts that the scenarios of service accounts compare. Values that differ between clusters,
 * such as UIDs, keys and certificates, are replaced by a text that says whether they are valid.
 *
 * @module
 */
import type {
  V1ConfigMap,
  V1Pod,
  V1Secret,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  ConfigMap,
  Pod,
  type ResourceType,
  Secret,
  ServiceAccount,
} from "../../../lib/apimachinery/meta/mod.ts";
import type { ComparedKind } from "../world.ts";

const ACCOUNT_UID = "kubernetes.io/service-account.uid";
const CLAIM_PREFIX = "kubernetes.io/serviceaccount/";

/** Returns the decoded value of a Secret's key; empty if it is absent. */
export function textOf({ data }: V1Secret, name: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(data?.[name] ?? ""));
}

/** Returns a text unchanged, or `certificates` in place of PEM certificates. */
function shownValue(text: string): string {
  return text.includes("BEGIN CERTIFICATE") ? "certificates" : text;
}

/** Returns the claims of a token as a text, or the text itself if it is not a token. */
function shownToken(token: string, secret: V1Secret): string {
  const payload = token.split(".")[1];
  if (payload === undefined) return token;
  const bytes = Uint8Array.fromBase64(payload, { alphabet: "base64url" });
  const claims = JSON.parse(new TextDecoder().decode(bytes));
  const uid = `${CLAIM_PREFIX}service-account.uid`;
  const isSame = claims[uid] === secret.metadata.annotations?.[ACCOUNT_UID];
  const shown = { ...claims, [uid]: isSame ? "the annotated uid" : "another uid" };
  return Object.entries(shown).map(([name, value]) => `${name}=${value}`).sort().join(" ");
}

/** Returns a map whose values are replaced by a function. */
function mapped(
  map: Readonly<Record<string, string>> | undefined,
  shown: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map ?? {}).map(([name, value]) => [`${name} `, shown(value, name)]),
  );
}

function secretFacts(secret: V1Secret): unknown {
  const { metadata, type, immutable } = secret;
  return {
    metadata: {
      name: metadata.name,
      annotations: mapped(
        metadata.annotations,
        (value, name) => name === ACCOUNT_UID ? "a uid" : value,
      ),
      labels: mapped(metadata.labels, (value) => value.replace(/^\d{4}-\d\d-\d\d$/, "a day")),
    },
    type,
    immutable,
    data: mapped(secret.data, (_, name) => {
      const text = textOf(secret, name);
      return name === "token" ? shownToken(text, secret) : shownValue(text);
    }),
  };
}

function configMapFacts(
  { metadata: { name, annotations, finalizers }, data }: V1ConfigMap,
): unknown {
  return { metadata: { name, annotations, finalizers }, data: mapped(data, shownValue) };
}

/** Returns the fields of a pod that depend on its service account. */
function podFacts({ metadata: { name }, spec, status }: V1Pod): unknown {
  const { volumes = [], containers = [], initContainers = [], imagePullSecrets = [] } = spec!;
  const shown = (part: unknown): string =>
    JSON.stringify(part).replaceAll(/kube-api-access-\w{5}"/g, 'kube-api-access-#####"');
  return {
    name,
    account: spec?.serviceAccountName,
    automount: spec?.automountServiceAccountToken,
    pullSecrets: imagePullSecrets.map((reference) => reference.name),
    volumes: volumes.map(shown),
    mounts: [...initContainers, ...containers].flatMap(({ name: container, volumeMounts = [] }) =>
      volumeMounts.map((mount) => `${container} ${shown(mount)}`)
    ),
    phase: status?.phase,
  };
}

/** The kinds that the scenarios of service accounts compare. */
export const ACCOUNT_KINDS: readonly ComparedKind[] = [
  { type: ServiceAccount as ResourceType },
  { type: Secret as ResourceType, facts: secretFacts },
  { type: ConfigMap as ResourceType, facts: configMapFacts },
  { type: Pod as ResourceType, facts: podFacts, hasEvents: false },
];
