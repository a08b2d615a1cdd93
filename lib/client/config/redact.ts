import type { ClientConfig, CredentialsConfig, TlsConfig } from "./config.ts";

const REDACTED = "REDACTED";
const SECRETS: ReadonlySet<string> = new Set([
  "token",
  "password",
  "keyData",
  "args",
  "env",
  "config",
]);

/**
 * Returns a copy of a configuration which, when printed (`console.log`, `Deno.inspect`,
 * `JSON.stringify`, a log record), shows `REDACTED` in place of its secrets: token, password,
 * private key, arguments and variables of a plugin, settings of a legacy login, and user
 * information of the proxy. The fields of the copy have the values of the original.
 */
export function hideSecrets(config: ClientConfig): ClientConfig {
  const { tls, credentials } = config;
  return hiding({
    ...config,
    ...(tls ? { tls: hiding<TlsConfig>({ ...tls }) } : {}),
    ...(credentials ? { credentials: hiding<CredentialsConfig>(hidePlugins(credentials)) } : {}),
  });
}

/**
 * Returns a copy of credentials whose credential plugin is printed without its arguments and
 * variables, and whose legacy login without its settings, since these often contain secrets.
 */
function hidePlugins(credentials: CredentialsConfig): CredentialsConfig {
  const { exec, authProvider } = credentials;
  return {
    ...credentials,
    ...(exec ? { exec: hiding({ ...exec }) } : {}),
    ...(authProvider ? { authProvider: hiding({ ...authProvider }) } : {}),
  };
}

function hiding<T extends object>(object: T): T {
  const methods: Record<PropertyKey, (...args: never[]) => unknown> = {
    toJSON: () => withoutSecrets(object),
    [Symbol.for("Deno.customInspect")]: (inspect: typeof Deno.inspect, options: object) =>
      inspect(withoutSecrets(object), options),
    [Symbol.for("nodejs.util.inspect.custom")]: () => withoutSecrets(object),
  };
  for (const name of Reflect.ownKeys(methods)) {
    Object.defineProperty(object, name, { value: methods[name as string], enumerable: false });
  }
  return object;
}

function withoutSecrets(object: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      if (SECRETS.has(key)) return [key, REDACTED];
      if (key === "proxyUrl") return [key, String(value).replace(/\/\/.*@/s, `//${REDACTED}@`)];
      return [key, value];
    }),
  );
}
