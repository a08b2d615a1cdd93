import type { CredentialsConfig, ImpersonateConfig, TlsConfig } from "../config/config.ts";
import { resolvePath } from "../config/config_material.ts";
import { refused, unset } from "../config/config_place.ts";
import { type PluginSurroundings, resolvePlugin } from "./config_plugin.ts";
import { bearerFault } from "../config/header_value.ts";
import { impersonateHeaders } from "../config/impersonate_headers.ts";
import type { UserEntry } from "./kubeconfig.ts";
import { readTokenFile } from "../config/token_file.ts";

/**
 * Returns the credentials of a kubeconfig user other than the client certificate: a token, a user
 * name with a password, a credential plugin or a legacy login; `undefined` when the user has none.
 * A user with a client certificate has no use for a plugin, which is left out; a legacy login is
 * kept. The token of a token file is read here, and takes precedence over the user's own `token`;
 * the client reads the file again once the token is older than a minute.
 *
 * @throws {ConfigError} When two kinds of credentials are configured, a header cannot contain the
 * token, the token file cannot be read and the user has no token as well, or the plugin is invalid
 * or not allowed.
 */
export async function resolveCredentials(
  user: UserEntry,
  surroundings: PluginSurroundings & { readonly tls: TlsConfig | undefined },
): Promise<CredentialsConfig | undefined> {
  const { host, tls } = surroundings;
  const { token, tokenFile, username, password } = user;
  const basic = username.value === "" ? password : username;
  if (basic.value !== "") {
    const bearer = token.value === "" ? tokenFile : token;
    if (bearer.value !== "") {
      throw refused(bearer.place, `${basic.place} is set too`, "keep one way to authenticate");
    }
    return { username: username.value, password: password.value };
  }
  if (token.value === "" && tokenFile.value === "") {
    // A client certificate suffices, so that no plugin is run; a legacy login is used in addition
    // to it.
    const proven = tls?.certData !== undefined;
    const named = proven ? { ...user, exec: unset(undefined) } : user;
    const plugin = await resolvePlugin(named, surroundings);
    return Object.keys(plugin).length === 0 ? undefined : plugin;
  }
  const fault = token.value === "" ? undefined : bearerFault(token.value);
  if (fault) throw refused(token.place, fault, "write the token in one line");
  if (tokenFile.value === "") return { token: token.value };
  const path = resolvePath(tokenFile, host.os);
  try {
    return { token: await readTokenFile(path, host), tokenFile: path };
  } catch (error) {
    // As in client-go, the token beside the file is used while the file cannot be read.
    if (token.value === "") throw error;
    return { token: token.value, tokenFile: path };
  }
}

/**
 * Returns the identity that a kubeconfig user impersonates; `undefined` when the user impersonates
 * none.
 *
 * @throws {ConfigError} When groups, a UID or extra fields are given without a user, or a header
 * cannot contain them.
 */
export function resolveImpersonate(user: UserEntry): ImpersonateConfig | undefined {
  const { as, asUid, asGroups, asUserExtra } = user;
  if (as.value === "") {
    const given = asUid.value !== "" ? asUid : asGroups.value.length > 0 ? asGroups : asUserExtra;
    if (given.value === "" || Object.keys(given.value).length === 0) return undefined;
    throw refused(
      given.place,
      "no user to impersonate is set",
      "set --as, or the field `as` of the user",
    );
  }
  const impersonate: ImpersonateConfig = {
    user: as.value,
    ...(asUid.value === "" ? {} : { uid: asUid.value }),
    ...(asGroups.value.length === 0 ? {} : { groups: asGroups.value }),
    ...(Object.keys(asUserExtra.value).length === 0 ? {} : { extra: asUserExtra.value }),
  };
  impersonateHeaders(impersonate);
  return impersonate;
}
