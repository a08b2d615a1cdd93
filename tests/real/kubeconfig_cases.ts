/**
 * The kubeconfigs that kubectl and we are both given: what is in them, and what comes of it. One table,
 * and long because it is all of them.
 */

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
const credential = (status: Record<string, unknown>): Record<string, string> =>
  plugin(JSON.stringify({
    apiVersion: "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    status,
  }));
const NAMED = ({ ports, ca }: Surroundings): Record<string, unknown> => ({
  server: at(ports.named, "api.example"),
  "certificate-authority-data": b64(ca.ours),
});
const through = (proxy: (ports: Surroundings["ports"]) => string) => (place: Surroundings) => ({
  ...NAMED(place),
  "proxy-url": proxy(place.ports),
});
const INSECURE = { "certificate-authority-data": undefined, "insecure-skip-tls-verify": true };

/** Who the user is. */
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
    name: "impersonation of somebody who may not",
    user: ({ token }) => ({ token, as: "nobody" }),
    refused: /forbidden.*"nobody"/,
  },
  {
    name: "impersonation of groups without a user",
    user: ({ token }) => ({ token, "as-groups": ["g"] }),
    refused: /as-groups.*nobody is named/,
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

/** Whom the server is. */
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
    name: "another authority",
    cluster: ({ ca }) => ({ "certificate-authority-data": b64(ca.theirs) }),
    refused: /for CN=.* by CN=control-plane-ca.*certificate-authority-data/,
  },
  {
    name: "no authority: the machine's do not know it",
    cluster: () => ({ "certificate-authority-data": undefined }),
    refused: /certificate/,
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

/** Where the server is. */
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
    refused: /the proxy http:\/\/127.* gave no way to api\.example:.* 502/,
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

/** All of them. */
export const KUBECONFIG_CASES: readonly KubeconfigCase[] = [
  ...CREDENTIALS,
  ...TRUST,
  ...PLACES,
  ...PROXIES,
  ...FILES,
];
