import { RawServer } from "../client/raw_server.ts";
import { ca, CANARY, careless, hear, serving, TOKEN } from "../support/command_line/redaction.ts";

Deno.test("redaction: a login that cannot refresh: no secret is printed", async () => {
  await using server = new RawServer(careless("403 that echoes"), serving);
  const cluster = { server: server.url, "certificate-authority-data": btoa(ca.cert) };
  const config = {
    "client-id": "me",
    "client-secret": CANARY,
    "id-token": TOKEN,
    "refresh-token": CANARY,
    "idp-issuer-url": "https://127.0.0.1:1",
  };
  await hear(cluster, { "auth-provider": { name: "oidc", config } }, "a legacy login");
});
