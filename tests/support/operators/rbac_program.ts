/** The program of `rbac_operator.ts`, as it runs in a pod; its arguments are name and addresses. */
import { createClient, inClusterConfig } from "../../../lib/client/mod.ts";
import { startLogging } from "../../../mod.ts";
import { createManager } from "../../../lib/manager/mod.ts";
import { greeter, greeterSetup } from "./rbac_operator.ts";

const [name = "", health = "", metrics = ""] = Deno.args;
const stop = new AbortController();
Deno.addSignalListener("SIGTERM", () => stop.abort());
await using _logging = await startLogging();
using client = createClient(await inClusterConfig());
const manager = createManager({ client, ...greeterSetup(name, health, metrics) });
manager.add(greeter);
await manager.run({ signal: stop.signal });
