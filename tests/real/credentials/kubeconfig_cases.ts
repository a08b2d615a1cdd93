/** The kubeconfigs that both kubectl and the client read, with their outcomes, in one table. */

import type { KubeconfigCase, Surroundings } from "./kubeconfig_case.ts";

const b64 = (text: string): string => btoa(text);
const at = (port: number, host = "127.0.0.1"): string => `https://${host}:${port}`;
const client = (kind: string) => ({ clients }: Surroundings): Record<string, unknown> => ({
  "client-certificate-data": b64(clients[kind]!.cert),
  "client-key-data": b64(clients[kind]!.key),
});
const exec = (fields: Record<string, unknown>): Record<string, unknown> => ({
  exec: {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "./plugin",
    interactiveMode: "Never",
    ...fields,
  },
});
const plugin = (output: string): Record<string, string> => ({
  plugin: `#!/bin/sh\ncat <<'END'\n${output}\nEND\n`,
});
const credentialText = (status: Record<string, unknown>): string =>
  JSON.stringify({
    apiVersion: "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    status,
  });
const credential = (status: Record<string, unknown>): Record<string, string> =>
  plugin(credentialText(status));
const NAMED = ({ ports, ca }: Surroundings): Record<string, unknown> => ({
  server: at(ports.named, "api.example"),
  "certificate-authority-data": b64(ca.ours),
});
const through = (proxy: (ports: Surroundings["ports"]) => string) => (place: Surroundings) => ({
  ...NAMED(place),
  "proxy-url": proxy(place.ports),
});
const INSECURE = { "certificate-authority-data": undefined, "insecure-skip-tls-verify": true };

/** The cases about the user. */
const CREDENTIALS: readonly KubeconfigCase[] = [
  ...["P-256 pkcs8", "P-256 sec1", "P-384 pkcs8", "RSA pkcs8", "RSA pkcs1", "Ed25519 pkcs8"].map((
    kind,
  ) => ({ name: `a client certificate, its key ${kind}`, user: client(kind) })),
  {
    name: "a client certificate in files beside the kubeconfig",
    user: () => ({ "client-certificate": "a/me.pem", "client-key": "./me.key" }),
    files: ({ clients }) => ({
      "a/me.pem": clients["P-256 pkcs8"]!.cert,
      "me.key": clients["P-256 pkcs8"]!.key,
    }),
  },
  {
    name: "certificate and key in one file, as the kubelet writes them",
    user: () => ({ "client-certificate": "current.pem", "client-key": "current.pem" }),
    files: ({ clients }) => {
      const { cert, key } = clients["P-256 sec1"]!;
      return { "current.pem": cert + key };
    },
  },
  {
    name: "a client certificate that nobody signed for this cluster",
    user: client("stranger"),
    refused: /Unauthorized/,
  },
  {
    name: "I12 a client certificate and another's key",
    user: ({ clients }) => ({
      "client-certificate-data": b64(clients["P-256 pkcs8"]!.cert),
      "client-key-data": b64(clients["P-384 pkcs8"]!.key),
    }),
    refused: /users\[name=u\].*private key .* is not this certificate's/,
  },
  {
    name: "I12 a client certificate without a key",
    user: ({ clients }) => ({ "client-certificate-data": b64(clients["P-256 pkcs8"]!.cert) }),
    refused: /users\[name=u\].*private key is missing/,
  },
  {
    name: "I13 a client certificate in a file that is not there",
    user: () => ({ "client-certificate": "gone.pem", "client-key": "gone.key" }),
    refused: /FOLDER\/gone\.pem: there is no such file/,
  },
  {
    name: "I11 a client key that is no PEM",
    user: ({ clients }) => ({
      "client-certificate-data": b64(clients["P-256 pkcs8"]!.cert),
      "client-key-data": b64("c4n4ry"),
    }),
    refused: /users\[name=u\].*client-key-data.*no PEM text/,
  },
  { name: "a token" },
  { name: "a wrong token", user: () => ({ token: "c4n4ry" }), refused: /Unauthorized/ },
  {
    name: "a token in a file",
    user: () => ({ tokenFile: "token" }),
    files: ({ token }) => ({ token: `${token}\n` }),
  },
  {
    name: "a token in a file goes before one inline",
    user: () => ({ token: "c4n4ry", tokenFile: "token" }),
    files: ({ token }) => ({ token }),
  },
  {
    name: "a token file that is not there",
    user: () => ({ tokenFile: "gone" }),
    refused: /FOLDER\/gone: there is no such file/,
  },
  {
    name: "a name and a password, which no API server takes any more",
    user: () => ({ username: "me", password: "c4n4ry" }),
    refused: /Unauthorized/,
  },
  {
    name: "a token and a password",
    user: ({ token }) => ({ token, username: "me", password: "c4n4ry" }),
    refused: /users\[name=u\].*username.*is set too; keep one way/,
  },
  { name: "nobody", user: () => ({}), refused: /Unauthorized/ },
  {
    name: "impersonation",
    user: ({ token }) => ({ token, as: "root", "as-groups": ["system:masters"], "as-uid": "7" }),
  },
  {
    name: "impersonation, with characters that no header carries as they are",
    user: ({ token }) => ({
      token,
      as: "j\u00e4ne, of a%41 b",
      "as-groups": ["system:masters", "a, b", "\u00fc"],
      "as-user-extra": { "a/b \u00fc%": ["1", "x, y"], none: [] },
    }),
  },
  {
    name: "impersonation of a user of two lines",
    user: ({ token }) => ({ token, as: "a\nb" }),
    refused: /Impersonate-User.*control characters/,
  },
  {
    name: "impersonation of somebody who may not",
    user: ({ token }) => ({ token, as: "nobody" }),
    refused: /forbidden.*"nobody"/,
  },
  {
    name: "impersonation of groups without a user",
    user: ({ token }) => ({ token, "as-groups": ["g"] }),
    refused: /as-groups.*no user to impersonate/,
  },
  {
    name: "a plugin that gives a token",
    user: () => exec({}),
    files: ({ token }) => credential({ token }),
  },
  {
    name: "a plugin that gives a client certificate",
    user: () => exec({}),
    files: ({ clients }) => {
      const { cert, key } = clients["P-256 pkcs8"]!;
      return credential({ clientCertificateData: cert, clientKeyData: key });
    },
  },
  {
    name: "a plugin that is told of the cluster, with arguments and variables",
    user: () =>
      exec({
        args: ["a b", ""],
        env: [{ name: "V", value: "1" }, { name: "V", value: "2 3" }],
        provideClusterInfo: true,
      }),
    files: ({ token, ports }) => ({
      plugin: `#!/bin/sh
        [ "$1" = "a b" ] && [ "$2" = "" ] && [ $# = 2 ] && [ "$V" = "2 3" ] || exit 1
        case $KUBERNETES_EXEC_INFO in (*'"server":"${at(ports.apiserver)}"'*) ;; (*) exit 2 ;; esac
        echo "a word of advice" >&2
        cat <<'END'\n${credentialText({ token })}\nEND\n`,
    }),
  },
  {
    name: "a plugin that does not say what it prints",
    user: () => exec({}),
    files: ({ token }) => plugin(credentialText({ token }).replace('"kind":"ExecCredential",', "")),
  },
  {
    name: "a plugin whose credential expired, and is good all the same",
    user: () => exec({}),
    files: ({ token }) => credential({ token, expirationTimestamp: "2020-01-01T00:00:00Z" }),
  },
  {
    name: "a plugin whose credential expired, and is refused",
    user: () => exec({}),
    files: () => credential({ token: "c4n4ry", expirationTimestamp: "2020-01-01T00:00:00Z" }),
    refused: /plugin.*expired at 2020-01-01T00:00:00.000Z; log in again/,
  },
  {
    name: "I15 a plugin that prints nothing",
    user: () => exec({}),
    files: () => ({ plugin: "#!/bin/sh\n" }),
    refused: /plugin.*it printed nothing/,
  },
  {
    name: "a plugin that fails",
    user: () => exec({}),
    files: () => ({ plugin: "#!/bin/sh\necho log in first >&2\nexit 3\n" }),
    refused: /plugin.*exit code 3: log in first; run it by hand/,
  },
  {
    name: "a plugin that may ask, and nobody is there",
    user: () => exec({ interactiveMode: "Always" }),
    files: ({ token }) => credential({ token }),
    refused: /interactiveMode is Always.*not a terminal/,
  },
  {
    name: "a plugin beside a client certificate is not run",
    user: (place) => ({ ...exec({ command: "./gone" }), ...client("P-256 pkcs8")(place) }),
  },
  {
    name: "I14 a plugin that is not there",
    user: () => exec({ command: "no-such-plugin", installHint: "Install it so." }),
    refused: /no-such-plugin.*no such program.*Install it so\./,
  },
  {
    name: "I15 a plugin that prints no JSON",
    user: () => exec({}),
    files: () => plugin("c4n4ry"),
    refused: /plugin.*JSON/,
  },
  {
    name: "I15 a plugin that speaks another version",
    user: () => exec({ apiVersion: "client.authentication.k8s.io/v1beta1" }),
    files: ({ token }) => credential({ token }),
    refused: /plugin.*client\.authentication\.k8s\.io\/v1/,
  },
  {
    name: "I15 a plugin that gives no status",
    user: () => exec({}),
    files: () => plugin('{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}'),
    refused: /plugin.*status/,
  },
  {
    name: "a plugin whose version wants interactiveMode, without it",
    user: () => exec({ interactiveMode: undefined }),
    files: ({ token }) => credential({ token }),
    refused: /interactiveMode.*not set/,
  },
  {
    name: "I16 a legacy login that nobody knows",
    user: () => ({ "auth-provider": { name: "acme" } }),
    refused: /auth-provider.*acme|acme.*auth-provider/,
  },
];

/** The cases about the identity of the server. */
const TRUST: readonly KubeconfigCase[] = [
  {
    name: "the authority in a file beside the kubeconfig",
    cluster: () => ({
      "certificate-authority-data": undefined,
      "certificate-authority": "ca.pem",
    }),
    files: ({ ca }) => ({ "ca.pem": ca.cluster }),
  },
  {
    name: "two authorities, and prose between them",
    cluster: ({ ca }) => ({
      "certificate-authority-data": b64(`Old:\n${ca.theirs}\nNew, -- really:\n${ca.cluster}`),
    }),
  },
  {
    name: "the authority with the line ends of Windows",
    cluster: ({ ca }) => ({
      "certificate-authority-data": b64(ca.cluster.replaceAll("\n", "\r\n")),
    }),
  },
  {
    name: "the authority, and a damaged certificate beside it",
    cluster: ({ ca }) => ({
      "certificate-authority-data": b64(
        `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${ca.cluster}`,
      ),
    }),
  },
  {
    name: "I11 the authority, indented",
    cluster: ({ ca }) => ({
      "certificate-authority-data": b64(ca.cluster.replaceAll(/^/gm, "  ")),
    }),
    refused: /certificate-authority-data.*damaged PEM text/,
  },
  {
    name: "the authority in a file too",
    cluster: () => ({ "certificate-authority": "ca.pem" }),
    files: ({ ca }) => ({ "ca.pem": ca.cluster }),
    refused: /certificate-authority-data.*given as a file too/,
  },
  {
    name: "another authority",
    cluster: ({ ca }) => ({ "certificate-authority-data": b64(ca.theirs) }),
    refused: /for CN=.* by CN=control-plane-ca.*certificate-authority-data/,
  },
  {
    name: "no authority: the machine's do not know it",
    cluster: () => ({ "certificate-authority-data": undefined }),
    refused: /no certificate authority is configured.*DENO_TLS_CA_STORE=system/,
  },
  {
    name: "no authority: the machine's know it",
    cluster: () => ({ "certificate-authority-data": undefined }),
    files: ({ ca }) => ({ "ca.pem": ca.cluster }),
    env: () => ({ SSL_CERT_FILE: "FOLDER/ca.pem", DENO_TLS_CA_STORE: "system" }),
  },
  {
    name: "no authority: the machine's know it, and nobody asked for them",
    cluster: () => ({ "certificate-authority-data": undefined }),
    files: ({ ca }) => ({ "ca.pem": ca.cluster }),
    env: () => ({ SSL_CERT_FILE: "FOLDER/ca.pem" }),
    refused: /DENO_TLS_CA_STORE=system/,
    differs: "this runtime brings roots of its own; a variable of its makes it the machine's",
  },
  {
    name: "I10 an authority that is no base64",
    cluster: () => ({ "certificate-authority-data": "%%%" }),
    refused: /clusters\[name=c\]\.cluster\.certificate-authority-data.*not base64/,
  },
  {
    name: "I11 an authority that is no PEM",
    cluster: () => ({ "certificate-authority-data": b64("hello") }),
    refused: /clusters\[name=c\].*no PEM text/,
  },
  {
    name: "I13 an authority in a file that is not there",
    cluster: () => ({
      "certificate-authority-data": undefined,
      "certificate-authority": "gone.pem",
    }),
    refused: /FOLDER\/gone\.pem: there is no such file/,
  },
  {
    name: "a certificate for another name",
    cluster: ({ ports, ca }) => ({
      server: at(ports.named),
      "certificate-authority-data": b64(ca.ours),
    }),
    refused: /tls-server-name/,
  },
  {
    name: "I18 a certificate for another name, and tls-server-name",
    cluster: ({ ports, ca }) => ({
      server: at(ports.named),
      "certificate-authority-data": b64(ca.ours),
      "tls-server-name": "api.example",
    }),
  },
  {
    name: "I18 a wrong tls-server-name",
    cluster: () => ({ "tls-server-name": "api.example" }),
    refused: /tls-server-name/,
  },
  {
    name: "I18 tls-server-name that is an address",
    cluster: ({ ports }) => ({
      server: at(ports.apiserver, "localhost"),
      "tls-server-name": "127.0.0.1",
    }),
  },
  {
    name: "I18 a wrong tls-server-name that is an address",
    cluster: () => ({ "tls-server-name": "10.0.0.9" }),
    refused: /10\.0\.0\.9 is not in the cert's list: 127\.0\.0\.1.*tls-server-name/,
  },
  {
    name: "--tls-server-name",
    cluster: ({ ports, ca }) => ({
      server: at(ports.named),
      "certificate-authority-data": b64(ca.ours),
    }),
    flags: { "tls-server-name": "api.example" },
  },
  {
    name: "a certificate of last year",
    cluster: ({ ports, ca }) => ({
      server: at(ports.expired),
      "certificate-authority-data": b64(ca.ours),
    }),
    refused: /certificate has expired.*valid from .* to .*clock/,
  },
  {
    name: "a self-signed certificate as its own authority",
    cluster: ({ ports, ca }) => ({
      server: at(ports.selfSigned),
      "certificate-authority-data": b64(ca.selfSigned),
    }),
  },
  {
    name: "a self-signed certificate, unknown",
    cluster: ({ ports }) => ({ server: at(ports.selfSigned) }),
    refused: /certificate-authority-data/,
  },
  {
    name: "I17 insecure-skip-tls-verify",
    cluster: ({ ports }) => ({ server: at(ports.theirs), ...INSECURE }),
  },
  {
    name: "I17 insecure-skip-tls-verify and a certificate of last year, for another name",
    cluster: ({ ports }) => ({ server: at(ports.expired, "localhost"), ...INSECURE }),
  },
  {
    name: "I17 insecure-skip-tls-verify beside an authority",
    cluster: () => ({ "insecure-skip-tls-verify": true }),
    refused: /insecure-skip-tls-verify.*certificate authority is given too/,
  },
];

/** The cases about the address of the server. */
const PLACES: readonly KubeconfigCase[] = [
  {
    name: "a server by its name",
    cluster: ({ ports }) => ({ server: at(ports.apiserver, "localhost") }),
  },
  {
    name: "a slash after the server",
    cluster: ({ ports }) => ({ server: `${at(ports.apiserver)}/` }),
  },
  {
    name: "IPv6",
    cluster: ({ ports, ca }) => ({
      server: at(ports.ipv6, "[::1]"),
      "certificate-authority-data": b64(ca.ours),
    }),
  },
  {
    name: "IPv6 with a zone, where nobody listens",
    cluster: ({ ports }) => ({ server: at(ports.closed, "[::1%25lo]") }),
    refused: /clusters\[name=c\].*IPv6 zone.*a name for that address/,
  },
  { name: "disable-compression", cluster: () => ({ "disable-compression": true }) },
  {
    name: "fields that nobody knows",
    cluster: () => ({ colour: "blue" }),
    top: { mood: { a: 1 } },
  },
  {
    name: "a path that is not there",
    cluster: ({ ports }) => ({ server: `${at(ports.apiserver)}/elsewhere` }),
    refused: /could not find|not found|404/i,
    differs: "kubectl get --raw leaves out the server's path",
  },
  {
    name: "plain http to a server that speaks TLS",
    cluster: ({ ports }) => ({ server: `http://127.0.0.1:${ports.apiserver}` }),
    refused: /HTTP request to an HTTPS server/,
  },
  {
    name: "no scheme, which is http",
    cluster: ({ ports }) => ({ server: `127.0.0.1:${ports.apiserver}` }),
    refused: /HTTP request to an HTTPS server/,
  },
  {
    name: "I09 a server that is neither http nor https",
    cluster: ({ ports }) => ({ server: `ftp://127.0.0.1:${ports.apiserver}` }),
    refused: /clusters\[name=c\].*neither https nor http/,
  },
  {
    name: "I09 a server with a name and a password in it",
    cluster: ({ ports }) => ({ server: `https://me:c4n4ry@127.0.0.1:${ports.apiserver}` }),
    refused: /clusters\[name=c\].*holds a user name or password/,
  },
  {
    name: "I09 a server with a query",
    cluster: ({ ports }) => ({ server: `${at(ports.apiserver)}/?a=b` }),
    refused: /has a query/,
    differs: "it was meant to do something; kubectl leaves it out without a word",
  },
  {
    name: "a port that nobody listens on",
    cluster: ({ ports }) => ({ server: at(ports.closed) }),
    refused: /ECONNREFUSED.*cluster-info/,
  },
  {
    name: "a host that does not exist",
    cluster: () => ({ server: "https://no-such-host.invalid" }),
    refused: /no-such-host\.invalid.*check the host name/,
  },
  {
    name: "I08 no server",
    cluster: () => ({ server: undefined }),
    refused: /clusters\[name=c\].*no server/,
  },
];

/** The way to the server. */
const PROXIES: readonly KubeconfigCase[] = [
  { name: "an HTTP proxy", cluster: through(({ http }) => `http://127.0.0.1:${http}`) },
  {
    name: "an HTTP proxy with a name and a password",
    cluster: through(({ httpLogin }) => `http://me:s3cret@127.0.0.1:${httpLogin}`),
  },
  {
    name: "an HTTP proxy with a wrong password",
    cluster: through(({ httpLogin }) => `http://me:c4n4ry@127.0.0.1:${httpLogin}`),
    refused: /the proxy http:\/\/127.* 407 .*does not accept the name and password/,
  },
  {
    name: "an HTTP proxy without the password that it wants",
    cluster: through(({ httpLogin }) => `http://127.0.0.1:${httpLogin}`),
    refused: /the proxy http:\/\/127.* 407 .*needs a name and password/,
  },
  {
    name: "an HTTP proxy that cannot reach the server",
    cluster: through(({ http502 }) => `http://127.0.0.1:${http502}`),
    refused: /the proxy http:\/\/127.* refused a connection to api\.example:.* 502/,
  },
  {
    name: "a proxy that nobody runs",
    cluster: through(({ closed }) => `http://127.0.0.1:${closed}`),
    refused: /the proxy http:\/\/127.* cannot be reached: .*ECONNREFUSED.*check proxy-url/,
  },
  { name: "an HTTPS proxy", cluster: through(({ https }) => `https://127.0.0.1:${https}`) },
  {
    name: "an HTTPS proxy by another authority",
    cluster: through(({ httpsTheirs }) => `https://127.0.0.1:${httpsTheirs}`),
    refused: /the proxy https:\/\/127.* cannot be reached: .*certificate/,
  },
  { name: "a SOCKS5 proxy", cluster: through(({ socks5 }) => `socks5://127.0.0.1:${socks5}`) },
  {
    name: "a SOCKS5 proxy with a name and a password",
    cluster: through(({ socks5Login }) => `socks5://me:s3cret@127.0.0.1:${socks5Login}`),
  },
  {
    name: "a SOCKS5 proxy with a wrong password",
    cluster: through(({ socks5Login }) => `socks5://me:c4n4ry@127.0.0.1:${socks5Login}`),
    refused: /the proxy socks5:\/\/127.* does not accept the name and password/,
  },
  {
    name: "a proxy, and insecure-skip-tls-verify",
    cluster: (place) => ({
      ...through(({ http }) => `http://127.0.0.1:${http}`)(place),
      ...INSECURE,
    }),
  },
  {
    name: "an HTTPS proxy by another authority, and insecure-skip-tls-verify",
    cluster: (place) => ({
      ...through(({ httpsTheirs }) => `https://127.0.0.1:${httpsTheirs}`)(place),
      ...INSECURE,
    }),
  },
  {
    name: "a proxy, and tls-server-name",
    cluster: ({ ports, ca }) => ({
      server: at(ports.named),
      "certificate-authority-data": b64(ca.ours),
      "tls-server-name": "api.example",
      "proxy-url": `socks5://127.0.0.1:${ports.socks5}`,
    }),
  },
  {
    name: "a proxy, and a client certificate",
    cluster: ({ ports }) => ({ "proxy-url": `http://127.0.0.1:${ports.http}` }),
    user: client("RSA pkcs1"),
  },
  {
    name: "a proxy of another kind",
    cluster: through(() => "ftp://me:c4n4ry@127.0.0.1:21"),
    refused: /clusters\[name=c\].*proxy-url.*not an http, https or socks5 URL/,
  },
  {
    name: "HTTPS_PROXY",
    cluster: NAMED,
    env: ({ ports }) => ({ HTTPS_PROXY: `http://127.0.0.1:${ports.http}` }),
  },
  {
    name: "https_proxy without a scheme",
    cluster: NAMED,
    env: ({ ports }) => ({ https_proxy: `127.0.0.1:${ports.http}` }),
  },
  {
    name: "HTTPS_PROXY socks5",
    cluster: NAMED,
    env: ({ ports }) => ({ HTTPS_PROXY: `socks5://127.0.0.1:${ports.socks5}` }),
  },
  {
    name: "HTTPS_PROXY, and NO_PROXY that excepts the server: its name is unknown here",
    cluster: NAMED,
    env: ({ ports }) => ({ HTTPS_PROXY: `http://127.0.0.1:${ports.http}`, NO_PROXY: ".example" }),
    refused: /api\.example.*check the host name/,
  },
  {
    name: "HTTPS_PROXY, and NO_PROXY that excepts others",
    cluster: NAMED,
    env: ({ ports }) => ({
      HTTPS_PROXY: `http://127.0.0.1:${ports.http}`,
      NO_PROXY: "10.0.0.0/8,pi.example,.api.example,api.example:1,[::1]",
    }),
  },
  {
    name: "HTTPS_PROXY that nobody runs, and a server on loopback",
    env: ({ ports }) => ({ HTTPS_PROXY: `http://127.0.0.1:${ports.closed}` }),
  },
  {
    name: "proxy-url goes before HTTPS_PROXY",
    cluster: through(({ http }) => `http://127.0.0.1:${http}`),
    env: ({ ports }) => ({ HTTPS_PROXY: `http://127.0.0.1:${ports.closed}` }),
  },
  {
    name: "HTTPS_PROXY that is no URL",
    cluster: NAMED,
    env: () => ({ HTTPS_PROXY: "ftp://me:c4n4ry@127.0.0.1" }),
    refused: /HTTPS_PROXY.*not an http, https or socks5 URL/,
  },
];

/** A file whose user of the same name leads nowhere. */
const SECOND = JSON.stringify({ users: [{ name: "u", user: { tokenFile: "gone" } }] });

function windowsText(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2).replaceAll("\n", "\r\n");
}

function utf16(text: string): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), true);
  return new Uint8Array(view.buffer);
}

/** The file. */
const FILES: readonly KubeconfigCase[] = [
  {
    name: "I01 no such file",
    flags: { kubeconfig: "FOLDER/gone" },
    refused: /no kubeconfig at FOLDER\/gone/,
  },
  { name: "I02 an empty file", text: "", refused: /FOLDER\/config/ },
  { name: "I03 broken YAML", text: "a: [b\nc: d\n", refused: /FOLDER\/config.*(line|:)\s?[23]/ },
  { name: "I04 a list", text: "- a\n", refused: /FOLDER\/config/ },
  {
    name: "I05 current-context that is not there",
    top: { "current-context": "gone" },
    refused: /"gone".*choose one of: x/,
  },
  {
    name: "I05 --context that is not there",
    flags: { context: "gone" },
    refused: /--context.*"gone"/,
  },
  {
    name: "I06 a context that names an unknown cluster",
    top: { contexts: [{ name: "x", context: { cluster: "gone", user: "u" } }] },
    refused: /no cluster "gone".*choose one of: c/,
  },
  {
    name: "I06 a context that names an unknown user",
    top: { contexts: [{ name: "x", context: { cluster: "c", user: "gone" } }] },
    refused: /no user "gone".*choose one of: u/,
  },
  {
    name: "I19 the first file to name a user gives all of it: a good one",
    flags: { kubeconfig: "" },
    env: () => ({ KUBECONFIG: "FOLDER/gone::FOLDER/config:FOLDER/second" }),
    files: () => ({ second: SECOND }),
  },
  {
    name: "I19 the first file to name a user gives all of it: a bad one",
    flags: { kubeconfig: "" },
    env: () => ({ KUBECONFIG: "FOLDER/sub/second:FOLDER/config" }),
    files: () => ({ "sub/second": SECOND }),
    refused: /FOLDER\/sub\/gone: there is no such file/,
  },
  {
    name: "KUBECONFIG with a ~, which only a shell knows",
    flags: { kubeconfig: "" },
    env: () => ({ KUBECONFIG: "~/config" }),
    refused: /no kubeconfig at ~\/config/,
  },
  { name: "a byte order mark", form: (text) => `\uFEFF${text}` },
  { name: "the line ends of Windows", form: (text) => windowsText(text) },
  {
    name: "UTF-16, as > writes in PowerShell",
    form: (text) => utf16(`\uFEFF${windowsText(text)}`),
  },
  {
    name: "YAML: comments, anchors, a merge key, a second document",
    form: (text) =>
      `# ours\n---\n${
        text.replace('"cluster":{', '"cluster":{ "<<": &n {"disable-compression": yes},').replace(
          '"<<"',
          "<<",
        )
      }\n---\nkind: Other\n`,
  },
  {
    name: "aliases that stand for more than memory holds",
    form: (text) =>
      text.replace(
        /\}$/,
        `, l0: &l0 [${Array(9).fill("x")}]${
          Array.from(
            { length: 20 },
            (_, at) => `, l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at} `)}]`,
          )
            .join("")
        }}`,
      ),
    refused: /FOLDER\/config.*aliases/,
  },
  {
    name: "the same name twice",
    top: { users: [{ name: "u", user: { token: "c4n4ry" } }, { name: "u" }] },
    refused: /users\[name=u\].*the name occurs twice/,
  },
  {
    name: "the same key twice",
    form: (text) => text.replace("{", '{"kind":"Config",'),
    refused: /FOLDER\/config: line 1:\d+: duplicated mapping key/,
    differs: "which of the two was meant nobody knows; kubectl takes the last",
  },
  {
    name: "a YAML tag of somebody's own",
    form: (text) => text.replace('"kind":', '"kind": !ours '),
    refused: /FOLDER\/config: line 1:\d+: unknown scalar tag/,
    differs: "it was meant to do something; kubectl leaves it out without a word",
  },
  {
    name: "extensions of a wrong shape",
    top: { extensions: { a: 1 } },
    refused: /extensions.*must be a list/,
  },
  {
    name: "no names at all",
    top: {
      "current-context": undefined,
      contexts: [{ name: "", context: { cluster: "c", user: "u" } }],
    },
  },
  {
    name: "another cluster of the file that cannot be used",
    form: (text) => text.replace('"clusters":[', '"clusters":[{"name":"d","cluster":{}},'),
  },
  {
    name: "another user of the file that cannot be used",
    form: (text) =>
      text.replace('"users":[', '"users":[{"name":"v","user":{"client-key-data":"%%%"}},'),
    differs: "only what is in use counts",
  },
  { name: "I07 contexts: null", top: { contexts: null }, refused: /there is no context "x"/ },
  {
    name: "a namespace of the context that cannot be one",
    top: { contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "A/b" } }] },
    refused: /namespace/,
    differs: "the namespace would go into URLs; kubectl finds out at the first call that uses it",
  },
  {
    name: "--insecure-skip-tls-verify replaces the file's authority",
    cluster: ({ ports }) => ({ server: at(ports.theirs) }),
    flags: { "insecure-skip-tls-verify": "true" },
  },
  {
    name: "--server with the file's authority and user",
    cluster: ({ ports }) => ({ server: at(ports.closed) }),
    flags: { server: "SERVER" },
  },
];

/** All cases. */
export const KUBECONFIG_CASES: readonly KubeconfigCase[] = [
  ...CREDENTIALS,
  ...TRUST,
  ...PLACES,
  ...PROXIES,
  ...FILES,
];
