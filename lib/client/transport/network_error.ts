import { errorText } from "@xca/apimachinery/base";
import type { ClientConfig } from "../config/config.ts";
import { ProxyError } from "./connect/proxy_error.ts";
import { atUsersLine } from "../errors/users_line.ts";
import { UnreachableError } from "../errors/unreachable_error.ts";

/** A kind of network failure below HTTP, with advice for the error message. */
interface Trouble {
  /** The pattern that the name, the code or the message of a failure of this kind matches. */
  readonly pattern: RegExp;
  /**
   * The last clause of the error message: the next step for the user. `HOST` in the text is
   * replaced by the host of the server.
   */
  readonly advice: string;
  /** Reports whether, after a network failure of this kind, the request certainly was not sent. */
  readonly neverSent: boolean;
  /** Reports whether a network failure of this kind may be temporary. */
  readonly mayPass: boolean;
}

const CHECK = "check that it runs: kubectl cluster-info";

const DISTRUST: Trouble = {
  pattern: /UNABLE_TO_|SELF_SIGNED|CERT_|UnknownIssuer|invalid peer certificate/,
  advice: "no certificate authority trusted for this cluster signed the server's certificate: " +
    "compare certificate-authority-data: kubectl config view --minify --raw",
  neverSent: true,
  mayPass: false,
};

/**
 * The kinds of network failure; the first match counts. The codes are those of libuv and OpenSSL,
 * which the runtime uses.
 */
const TROUBLES: readonly Trouble[] = [
  {
    pattern: /Requires sys access to "ca"|Requires env access to "NODE_USE_SYSTEM_CA"/,
    advice: "without a certificate authority in the configuration the machine's are needed: " +
      "configure one, or run with --allow-env=NODE_USE_SYSTEM_CA",
    neverSent: true,
    mayPass: false,
  },
  {
    pattern: /NotCapable|Requires net access|\bEPERM\b/,
    advice: "this process may not connect there: run it with --allow-net=HOST",
    neverSent: true,
    mayPass: false,
  },
  {
    pattern: /ERR_TLS_CERT_ALTNAME_INVALID|NotValidForName/,
    advice:
      "the certificate is for other names: set tls-server-name (--tls-server-name) to one of " +
      "them, or use such a server URL",
    neverSent: true,
    mayPass: false,
  },
  {
    pattern: /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|\bExpired\b/,
    advice: "renew the server's certificate, and compare this machine's clock",
    neverSent: true,
    mayPass: false,
  },
  DISTRUST,
  {
    pattern: /ENOTFOUND|EAI_|dns error/,
    advice: "check the host name of the server: kubectl config view --minify",
    neverSent: true,
    mayPass: true,
  },
  {
    pattern:
      /ECONNREFUSED|ECONNTIMEOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|\(Connect\)/,
    advice: CHECK,
    neverSent: true,
    mayPass: true,
  },
  {
    pattern: /ERR_SSL|EPROTO|HPE_/,
    advice:
      "does that port speak what the URL says, https or http? compare: kubectl config view --minify",
    neverSent: false,
    mayPass: false,
  },
];

const LOST: Trouble = { pattern: /^/, advice: CHECK, neverSent: false, mayPass: true };

/**
 * The advice for an untrusted certificate without a configured authority; the runtime has its own
 * roots.
 */
const NO_AUTHORITY =
  "no certificate authority is configured, and none that this runtime brings signed the server's " +
  "certificate: set certificate-authority, or trust what this machine trusts: " +
  "DENO_TLS_CA_STORE=system";

/**
 * The parts of a client configuration that messages about network errors use: the server's address,
 * where the configuration came from (such as a kubeconfig file and context), and the TLS settings.
 */
type Server = Pick<ClientConfig, "server" | "source" | "tls">;

/** Creates the UnreachableError of a call that received no response. */
export function unreachable(error: unknown, server: Server): UnreachableError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = errorText(error);
  if (error instanceof ProxyError) return build(server, text, proxyTrouble(error, text), error);
  const known = `${error instanceof Error ? error.name : ""} ${code} ${text}`;
  const trouble = TROUBLES.find(({ pattern }) => pattern.test(known)) ?? LOST;
  const why = code && !text.includes(code) ? `${text} (${code})` : text;
  const alone = trouble === DISTRUST && !server.tls?.caData && !server.tls?.caFile;
  return build(server, why, alone ? { ...trouble, advice: NO_AUTHORITY } : trouble, error);
}

function proxyTrouble({ proxy, mayPass }: ProxyError, text: string): Trouble {
  const advice = /Requires net access/.test(text)
    ? `this process may not connect there: run it with --allow-net=${proxy}`
    : "check proxy-url of the cluster, or HTTPS_PROXY, HTTP_PROXY and NO_PROXY";
  return { pattern: /^/, advice, neverSent: true, mayPass };
}

/** The facts about a call that missed its deadline, for the error of {@linkcode noAnswer}. */
export interface LateCall {
  /** The HTTP method of the call that missed its deadline, such as `GET`. */
  readonly method: string;
  /** The URL path of the late call, without the query, for the error's message. */
  readonly path: string;
  /** The time that the call had until its deadline, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Reports whether the missed deadline counts as a temporary failure, after which the client may
   * retry a read.
   */
  readonly mayPass: boolean;
  /** The part of the response that did not arrive in time. @default {"answer"} */
  readonly missing?: string;
}

/** Creates the UnreachableError of a call that the server did not answer in time. */
export function noAnswer(server: Server, call: LateCall): UnreachableError {
  const { method, path, timeoutMs, mayPass, missing = "answer" } = call;
  const why = `no ${missing} to ${method} ${path} within ${timeoutMs} ms`;
  return build(server, why, { ...LOST, mayPass });
}

/** Creates the UnreachableError of a call whose deadline passed while it waited for credentials. */
export function noCredentials(
  server: Server,
  { method, path, timeoutMs }: Pick<LateCall, "method" | "path" | "timeoutMs">,
): UnreachableError {
  return build(server, `no credentials for ${method} ${path} within ${timeoutMs} ms`, {
    ...LOST,
    advice: "run the kubeconfig's credential plugin by hand: does it wait for an answer, or for " +
      "the network?",
    neverSent: true,
    mayPass: false,
  });
}

function build(config: Server, why: string, trouble: Trouble, cause?: unknown): UnreachableError {
  const { server, source } = config;
  const host = URL.canParse(server) ? new URL(server).host : server;
  return atUsersLine(() =>
    new UnreachableError(
      `Cannot reach the API server ${server}${source ? ` (from ${source})` : ""}: ${why}; ` +
        trouble.advice.replace("HOST", host),
      {
        server,
        neverSent: trouble.neverSent,
        mayPass: trouble.mayPass,
        ...(cause === undefined ? {} : { cause }),
      },
    )
  );
}
