/**
 * The embedded API server under the name and with the flags of kube-apiserver, as far as `envtest` of
 * controller-runtime gives them: Go's suites then run on it unchanged.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { ApiFront, ApiServer } from "../../lib/apiserver/mod.ts";

const FLAGS = [
  "bind-address",
  "secure-port",
  "cert-dir",
  "client-ca-file",
  "service-account-signing-key-file",
  "service-cluster-ip-range",
] as const;

const ANONYMOUS = { name: "system:anonymous", groups: ["system:unauthenticated"] };

if (Deno.args.includes("--help")) {
  // It is looked through for flags that a release does not have.
  // deno-lint-ignore no-console -- a program speaks to its user
  for (const flag of FLAGS) console.log(`      --${flag} string`);
  Deno.exit(0);
}

const { values } = parseArgs({
  strict: false,
  options: Object.fromEntries(FLAGS.map((flag) => [flag, { type: "string" as const }])),
});
const flag = (name: typeof FLAGS[number]): string => {
  const value = values[name];
  if (typeof value !== "string") throw new Error(`--${name} is missing`);
  return value;
};
const serving = {
  cert: Deno.readTextFileSync(`${flag("cert-dir")}/apiserver.crt`),
  key: Deno.readTextFileSync(`${flag("cert-dir")}/apiserver.key`),
};
const signingKey = Deno.readTextFileSync(flag("service-account-signing-key-file"));
const server = await ApiServer.start({
  // kube-apiserver alone has none.
  controllers: false,
  serviceAccountKey: signingKey,
  serviceCidr: flag("service-cluster-ip-range"),
});
await ApiFront.listen({
  // Clients come with certificates of envtest's own authority; nobody asks for the administrator's.
  keys: { ca: Deno.readTextFileSync(flag("client-ca-file")), serving, admin: serving, signingKey },
  hostname: flag("bind-address"),
  port: Number(flag("secure-port")),
  fetch: (request, peer) => {
    // envtest asks without credentials whether the server is ready (`--anonymous-auth`).
    const anonymous = !peer.user && !request.headers.has("authorization");
    return server.fetch(request, anonymous ? { ...peer, user: ANONYMOUS } : peer);
  },
});
