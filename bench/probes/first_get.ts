// The smallest program with this library's client: it loads the kubeconfig and makes one request.
import { createClient, loadConfig } from "@xca/operator/client";
import type { KubeObject } from "@xca/operator/meta";
import { say } from "./say.ts";

using client = createClient(await loadConfig());
const path = "/api/v1/namespaces/default";
const { metadata } = await client.requestJson<KubeObject>({ path });
await say(metadata.name!);
Deno.exit(0);
