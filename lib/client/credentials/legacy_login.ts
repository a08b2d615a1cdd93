import type { AuthProviderConfig } from "../config/plugin_config.ts";

/**
 * The name, without the scope `@kubernetes`, and the version range of the npm package that
 * implements legacy logins; the tests use this version.
 */
export const LEGACY_LOGIN_PACKAGE = "client-node@^2.0.1";

/**
 * A function that performs a legacy login and returns the value of the `Authorization` header;
 * `undefined` without a token.
 */
export type LegacyLogin = () => Promise<string | undefined>;

/** The interface of `@kubernetes/client-node` that a legacy login uses. */
interface ClientNode {
  readonly KubeConfig: new () => {
    loadFromOptions(options: object): void;
    applyToHTTPSOptions(options: { headers?: Record<string, unknown> }): Promise<void>;
  };
}

/**
 * Loads `@kubernetes/client-node` and returns a function that performs a legacy login by the code
 * of this package.
 *
 * @throws {Error} When the package cannot be loaded, as in a compiled program.
 */
export async function clientNodeLogin(
  { name, config }: AuthProviderConfig,
): Promise<LegacyLogin> {
  const { KubeConfig } = await loadPackage(LEGACY_LOGIN_PACKAGE);
  const kubeConfig = new KubeConfig();
  const issuer = config["idp-issuer-url"];
  const settings = {
    ...config,
    // client-node passes the issuer to a library that accepts only a URL object (as of 2.0.1).
    ...(issuer && URL.canParse(issuer) ? { "idp-issuer-url": new URL(issuer) } : {}),
  };
  kubeConfig.loadFromOptions({
    clusters: [{ name: "c", server: "https://localhost", skipTLSVerify: false }],
    users: [{ name: "u", authProvider: { name, config: settings } }],
    contexts: [{ name: "x", cluster: "c", user: "u" }],
    currentContext: "x",
  });
  return async () => {
    const options: { headers?: Record<string, unknown> } = {};
    await kubeConfig.applyToHTTPSOptions(options);
    const value = options.headers?.["Authorization"];
    return typeof value === "string" ? value : undefined;
  };
}

/**
 * Loads an npm package of scope `@kubernetes`, and returns its exports. The specifier is computed,
 * so that tools do not resolve it: with a literal specifier, `deno compile` would embed 71 MB, and
 * `deno bundle` 4 MB, into every program that has a client. A computed specifier also needs no
 * import map, and `deno publish` does not rewrite it.
 *
 * @throws {Error} When the package cannot be loaded.
 */
async function loadPackage(name: string): Promise<ClientNode> {
  try {
    return await import(`npm:@kubernetes/${name}`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `this program does not carry the code of legacy logins (npm:@kubernetes/${name}), and it ` +
        `cannot be loaded: ${why}`,
      { cause },
    );
  }
}
