/**
 * What stands for `@kubernetes/client-node` in the bundled plugin. That package is ten times the size
 * of everything else and doubles the time to start, for a login that few still have: so it is not in
 * the bundle, but brought by Deno when it is needed. A compiled binary cannot bring it.
 *
 * @module
 */
const SPECIFIER = "npm:@kubernetes/client-node@^2.0.1";

/** The part of the package that the plugin uses. */
interface ClientNode {
  readonly KubeConfig: new () => {
    loadFromOptions(options: object): void;
    applyToHTTPSOptions(options: { headers?: unknown }): Promise<void>;
  };
}

async function bring(): Promise<ClientNode> {
  try {
    // Not a literal, so that the bundler leaves it alone.
    return await import(SPECIFIER);
  } catch (cause) {
    throw new Error(
      "this build does not carry the code of legacy logins (@kubernetes/client-node)",
      { cause },
    );
  }
}

/** The class of that name, of the package. */
export const KubeConfig: ClientNode["KubeConfig"] = (await bring()).KubeConfig;
