/** Scenarios of the ClusterTrustBundle with the certificates of the API server's authority. @module */
import { createHash } from "node:crypto";
import type { V1ClusterTrustBundle } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { ClusterTrustBundle } from "../../../lib/apimachinery/meta/mod.ts";
import { CertificateAuthority } from "../../../lib/apimachinery/pki/mod.ts";
import { ignoreNotFound, mergePatch } from "../../../lib/client/mod.ts";
import type { ScenarioArea, Stage } from "../world.ts";

const PUBLISHER = "kube-apiserver-serving-clustertrustbundle-publisher-controller";
const SIGNER = "kubernetes.io/kube-apiserver-serving";
const PREFIX = "kubernetes.io:kube-apiserver-serving:";
const OTHER_SIGNER = "example.com/other";

const { cert: otherCertificate } = await CertificateAuthority.create(
  "other",
  new Date("2025-12-31T00:00:00Z"),
  { days: 3650 },
);

async function bundles({ client }: Stage): Promise<V1ClusterTrustBundle[]> {
  const { items } = await client.list(ClusterTrustBundle);
  return items.filter(({ spec }) => spec.signerName === SIGNER);
}

/** Waits until there is one bundle of the API server's authority with the name of its contents. */
async function untilPublished(stage: Stage): Promise<string> {
  for (let second = 0; second < 120; second++) {
    const [only, ...others] = await bundles(stage);
    if (only && others.length === 0 && hasOwnName(only)) return only.metadata.name!;
    await stage.pass(1000);
  }
  throw new Error("The bundle of the API server's authority is not published");
}

function hasOwnName({ metadata, spec }: V1ClusterTrustBundle): boolean {
  const hash = createHash("sha256").update(spec.trustBundle).digest("hex").slice(0, 24);
  return metadata.name === `${PREFIX}${hash}`;
}

function bundleFacts(bundle: V1ClusterTrustBundle): unknown {
  const { metadata, spec } = bundle;
  const isOther = spec.trustBundle === otherCertificate;
  return {
    name: hasOwnName(bundle) ? "that of its contents" : metadata.name,
    signer: spec.signerName,
    certificates: isOther ? "other ones" : spec.trustBundle.match(/BEGIN CERTIFICATE/g)?.length,
  };
}

async function makeOther({ client }: Stage, name: string, signerName: string): Promise<void> {
  const spec = { signerName, trustBundle: otherCertificate };
  await client.create(ClusterTrustBundle, { metadata: { name }, spec });
}

async function removeOther({ client }: Stage): Promise<void> {
  await ignoreNotFound(client.delete(ClusterTrustBundle, "example.com:other:a"));
}

/** The scenarios of the controller that publishes the API server's authority. */
export const TRUST_BUNDLES: ScenarioArea = {
  name: "trust_bundles",
  kinds: [{ type: ClusterTrustBundle, facts: bundleFacts, belongsTo: () => true }],
  controllers: [PUBLISHER],
  isAlone: true,
  scenarios: [
    {
      name: "ClusterTrustBundle at the start",
      run: async (stage) => void await untilPublished(stage),
    },
    {
      name: "ClusterTrustBundle deleted",
      run: async (stage) => {
        await stage.client.delete(ClusterTrustBundle, await untilPublished(stage));
        await untilPublished(stage);
      },
    },
    {
      name: "ClusterTrustBundle of other certificates beside others",
      run: async (stage) => {
        const name = await untilPublished(stage);
        await makeOther(stage, `${PREFIX}a`, SIGNER);
        await makeOther(stage, "example.com:other:a", OTHER_SIGNER);
        await untilPublished(stage);
        const spec = { trustBundle: otherCertificate };
        await stage.client.patch(ClusterTrustBundle, name, mergePatch({ spec }));
        await untilPublished(stage);
      },
      after: removeOther,
    },
    {
      name: "ClusterTrustBundle gone while there is another one",
      run: async (stage) => {
        const name = await untilPublished(stage);
        await makeOther(stage, `${PREFIX}b`, SIGNER);
        await ignoreNotFound(stage.client.delete(ClusterTrustBundle, name));
        await untilPublished(stage);
      },
    },
  ],
};
