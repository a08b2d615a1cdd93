/** Legacy logins by the code of `@kubernetes/client-node` itself. */
import assert from "node:assert/strict";
import { CertificateAuthority } from "../../lib/apimachinery/pki/mod.ts";
import type { AuthProviderConfig } from "../../lib/client/config/plugin_config.ts";
import { createCredentials } from "../../lib/client/credentials/create_credentials.ts";
import { configErrorOf } from "../kubeconfig/fake_host.ts";
import { webToken } from "../support/network/web_token.ts";

const PLACE = "users[name=bob].user.auth-provider in /x/config";
const REFRESH_TOKEN = "c4n4ry-s3cret-t0ken";

function oidc(config: Record<string, string>): AuthProviderConfig {
  return { name: "oidc", config, place: PLACE };
}

Deno.test("I16 oidc: the code of client-node returns the id token", async () => {
  const token = webToken(new Date(Date.now() + 3_600_000));
  const credentials = createCredentials({
    credentials: { authProvider: oidc({ "id-token": token }) },
  });
  assert.deepEqual(await credentials.headers(), [["Authorization", `Bearer ${token}`]]);
});

Deno.test("I16 oidc: an expired token without a refresh token is an error with the remedy", async () => {
  const token = webToken(new Date(Date.now() - 1000));
  const credentials = createCredentials({
    credentials: { authProvider: oidc({ "id-token": token }) },
  });
  const message = await configErrorOf(credentials.headers());
  assert.match(
    message,
    /^Cannot log in with auth-provider "oidc" of users\[name=bob\].* it has no token that is valid.*use an exec plugin instead$/,
  );
  assert.ok(!message.includes(token));
});

Deno.test("I16 oidc: an expired token is refreshed at an issuer that the machine trusts", async () => {
  const ca = await CertificateAuthority.create("issuer", new Date());
  const { cert, key } = await ca.serving("idp", ["localhost"], ["127.0.0.1"]);
  const forms: string[] = [];
  let fresh = "";
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, cert, key },
    async (request) => {
      const { pathname, origin } = new URL(request.url);
      if (pathname === "/.well-known/openid-configuration") {
        return Response.json({ issuer: origin, token_endpoint: `${origin}/token` });
      }
      forms.push(await request.text());
      fresh = webToken(new Date(Date.now() + 3_600_000), { iss: origin, aud: "kubectl" });
      return Response.json({ access_token: "a", token_type: "bearer", id_token: fresh });
    },
  );
  const authProvider = oidc({
    "id-token": webToken(new Date(Date.now() - 1000)),
    "refresh-token": REFRESH_TOKEN,
    "client-id": "kubectl",
    "idp-issuer-url": `https://127.0.0.1:${server.addr.port}`,
  });
  const said = await headersInChild(authProvider, ca.cert);
  assert.equal(said, `Bearer ${fresh}`);
  assert.equal(new URLSearchParams(forms[0]).get("refresh_token"), REFRESH_TOKEN);
});

/** Returns the header that a program sends on a machine that trusts `ca`. */
async function headersInChild(authProvider: AuthProviderConfig, ca: string): Promise<string> {
  const dir = await Deno.makeTempDir();
  const module = JSON.stringify(
    import.meta.resolve("../../lib/client/credentials/create_credentials.ts"),
  );
  const child = `import { createCredentials } from ${module};
    const credentials = createCredentials({ credentials: { authProvider: ${
    JSON.stringify(authProvider)
  } } });
    const header = await credentials.headers().then((pairs) => pairs[0][1], (error) => error.message);
    await Deno.stdout.write(new TextEncoder().encode(header));`;
  await Deno.writeTextFile(`${dir}/child.ts`, child);
  await Deno.writeTextFile(`${dir}/ca.pem`, ca);
  const config = new URL("deno.json", import.meta.url).pathname;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `--config=${config}`, `${dir}/child.ts`],
    env: { DENO_CERT: `${dir}/ca.pem` },
    stderr: "inherit",
  }).output();
  await Deno.remove(dir, { recursive: true });
  return new TextDecoder().decode(stdout);
}
