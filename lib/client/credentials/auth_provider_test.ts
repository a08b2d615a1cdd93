import assert from "node:assert/strict";
import manifest from "../../../tests/client_node/deno.json" with { type: "json" };
import { configErrorOf } from "../../../tests/kubeconfig/fake_host.ts";
import { PUBLIC_DOORS } from "../../../tests/support/packaging/packages.ts";
import { webToken } from "../../../tests/support/network/web_token.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { AuthProviderCredentials } from "./auth_provider.ts";
import { createCredentials } from "./create_credentials.ts";
import { LEGACY_LOGIN_PACKAGE, type LegacyLogin } from "./legacy_login.ts";
import type { AuthProviderConfig } from "../config/plugin_config.ts";

const PLACE = "users[name=bob].user.auth-provider in /x/config";
const PACKAGE = "@kubernetes/client-node";
const CANARY = "c4n4ry-s3cret-t0ken";

function oidc(config: Record<string, string>): AuthProviderConfig {
  return { name: "oidc", config, place: PLACE };
}

Deno.test("I16 a token is kept until it expires, an opaque one for a minute; concurrent requests share a login", async () => {
  const clock = new FakeClock();
  const answers = [
    `Bearer ${webToken(new Date(clock.now().getTime() + 600_000))}`,
    "Bearer opaque",
    "Bearer last",
  ];
  let asked = 0;
  const login: LegacyLogin = () => Promise.resolve(answers[asked++]);
  const credentials = make(clock, login);
  const value = async () => (await credentials.headers())[0]![1];
  const many = await Promise.all(Array.from({ length: 50 }, value));
  assert.deepEqual(new Set(many), new Set([answers[0]]));
  clock.step(599_999);
  assert.equal(await value(), answers[0]);
  assert.equal(asked, 1);
  clock.step(1);
  assert.equal(await value(), "Bearer opaque");
  clock.step(59_999);
  assert.equal(await value(), "Bearer opaque");
  clock.step(1);
  assert.equal(await value(), "Bearer last");
});

Deno.test("I16 a 401 repeats the login; the same token is not a change", async () => {
  const answers = ["Bearer one", "Bearer one", "Bearer two"];
  const credentials = make(new FakeClock(), () => Promise.resolve(answers.shift()));
  const first = await credentials.headers();
  assert.equal(await credentials.onUnauthorized(first), false);
  assert.equal(await credentials.onUnauthorized(first), true);
  assert.equal(await credentials.onUnauthorized(first), true, "the new one is there already");
  assert.equal((await credentials.headers())[0]![1], "Bearer two");
});

Deno.test("I16 the error for a login that fails or hangs has the reason without secrets, and the remedy", async () => {
  const clock = new FakeClock();
  const failing = make(clock, () => Promise.reject(new Error(`bad secret ${CANARY} token=abcdef`)));
  const message = await configErrorOf(failing.headers());
  assert.match(message, /bad secret REDACTED token=REDACTED; log in again, or use an exec plugin/);
  const hanging = configErrorOf(make(clock, () => new Promise(() => {})).headers());
  await clock.advance(60_000);
  assert.match(await hanging, /no answer within 60000 ms; log in again/);
});

Deno.test("I16 the error for an unknown login lists the known ones", () => {
  assert.throws(
    () => createCredentials({ credentials: { authProvider: { name: "openstack", config: {} } } }),
    /^ConfigError: Cannot log in with auth-provider "openstack": the login is unknown; oidc, gcp, azure are known/,
  );
});

Deno.test("I16 no program contains @kubernetes/client-node unless it imports the package itself", async () => {
  const root = new URL("../../../", import.meta.url);
  for (const entry of [...PUBLIC_DOORS.values(), "cli/main.ts"]) {
    assert.deepEqual(await mentions(new URL(entry, root)), [], entry);
  }
  // The control: the check finds the package where it is used.
  assert.notDeepEqual(await mentions(new URL("tests/client_node/program.ts", root)), []);
  assert.equal(manifest.imports[PACKAGE], `npm:@kubernetes/${LEGACY_LOGIN_PACKAGE}`);
});

Deno.test("I16 the error of a program that cannot load the code of legacy logins names the package", async () => {
  const cache = await Deno.makeTempDir();
  const module = JSON.stringify(new URL("./legacy_login.ts", import.meta.url).href);
  const script = `import { clientNodeLogin } from ${module};
    await clientNodeLogin({ name: "oidc", config: {} }).catch(({ message }) => console.log(message));`;
  await Deno.writeTextFile(`${cache}/main.ts`, script);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", "--no-lock", "--cached-only", `${cache}/main.ts`],
    env: { DENO_DIR: cache },
  }).output();
  await Deno.remove(cache, { recursive: true });
  assert.match(
    new TextDecoder().decode(stdout),
    /^this program does not carry the code of legacy logins \(npm:@kubernetes\/client-node@.*\), and it cannot be loaded: /,
    new TextDecoder().decode(stderr),
  );
});

/**
 * Returns the modules of an entry point's import graph that import the npm package, code or types.
 */
async function mentions(entry: URL): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry.pathname],
    stderr: "null",
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as {
    modules: { specifier: string; dependencies?: { specifier: string }[] }[];
  };
  assert.ok(modules.length > 1, `only ${modules.length} module was walked`);
  return modules.filter(({ specifier, dependencies = [] }) =>
    specifier.includes(PACKAGE) || dependencies.some((each) => each.specifier.includes(PACKAGE))
  ).map(({ specifier }) => specifier);
}

function make(clock: FakeClock, login: LegacyLogin): AuthProviderCredentials {
  const authProvider = oidc({ "refresh-token": CANARY });
  return new AuthProviderCredentials({
    authProvider,
    fixed: [],
    clock,
    login: () => Promise.resolve(login),
  });
}
