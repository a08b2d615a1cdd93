// The least program on our client: from the kubeconfig to one answer.
import { createClient, loadConfig } from "@xca/operator/client";
import type { KubeObject } from "@xca/operator/meta";
import { say } from "./say.ts";

using client = createClient(await loadConfig());
const path = "/api/v1/namespaces/default";
const { metadata } = await client.requestJson<KubeObject>({ path });
await say(metadata.name!);
Deno.exit(0);
