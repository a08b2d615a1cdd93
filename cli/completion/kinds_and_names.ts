/** Mirrors k8s.io/kubectl/pkg/util/completion/completion.go, ResourceTypeAndNameCompletionFunc. */
import { type Client, discoveryClient } from "../../lib/client/mod.ts";
import type { ResourceType } from "@xca/apimachinery/meta";
import type { Candidate } from "./complete.ts";

/**
 * Returns completions of `KIND/NAME`: before the slash the resources of the server whose objects
 * can be read and listed, by plural and group and with a slash, such as `deployments.apps/`; after
 * the slash the names that `namesOf` returns for the resource, which may be written in any form
 * that kubectl accepts.
 */
export async function kindsAndNames(
  client: Client,
  word: string,
  namesOf: (type: ResourceType) => Promise<readonly string[]>,
): Promise<readonly Candidate[]> {
  const discovery = discoveryClient(client);
  const [kind = "", ...name] = word.split("/");
  if (name.length > 0) {
    const names = await namesOf(await discovery.resourceFor(kind));
    return names.map((each) => ({ word: `${kind}/${each}` }));
  }
  const resources = await discovery.preferredResources();
  return resources.filter(({ verbs }) => verbs.includes("get") && verbs.includes("list"))
    .map(({ plural, group }) => ({
      word: `${group ? `${plural}.${group}` : plural}/`,
      continues: true,
    }));
}
