/** A kubeconfig that both kubectl and the client read. */

/** The environment of the cases: a real API server, with proxies and other servers around it. */
export interface Surroundings {
  /** Ports on 127.0.0.1 (`ipv6`: on ::1), by what listens there. */
  readonly ports: Readonly<
    Record<
      | "apiserver" // its certificate is for 127.0.0.1 and localhost
      | "named" // in front of it, for `api.example` alone, by `ours`
      | "theirs" // in front of it, for 127.0.0.1, by `theirs`
      | "expired" // in front of it, its certificate of last year
      | "selfSigned" // in front of it, its own authority
      | "ipv6" // in front of it, for ::1, by `ours`
      | "http" // proxies: they know `api.example`, which is `named`
      | "httpLogin" // wants me:s3cret
      | "http502"
      | "https" // with a certificate by `ours`
      | "httpsTheirs"
      | "socks5"
      | "socks5Login"
      | "closed", // nobody
      number
    >
  >;
  /** Certificate authorities, as PEM text. */
  readonly ca: Readonly<Record<"cluster" | "ours" | "theirs" | "selfSigned", string>>;
  /** Client certificates of administrators, by the form of their keys. */
  readonly clients: Readonly<Record<string, { readonly cert: string; readonly key: string }>>;
  /** A token of an administrator. */
  readonly token: string;
}

/** One kubeconfig. */
export interface KubeconfigCase {
  /** The name of the case, after its row in section 3 of the fault catalogue. */
  readonly name: string;
  /** The cluster, over the API server's address and authority. */
  readonly cluster?: (place: Surroundings) => Record<string, unknown>;
  /** The user, over one with a token; `null` is none. */
  readonly user?: (place: Surroundings) => Record<string, unknown> | null;
  /** Fields at the top, over those of one context. */
  readonly top?: Record<string, unknown>;
  /** The whole text, instead. */
  readonly text?: string;
  /** Changes the text of the kubeconfig. */
  readonly form?: (text: string) => string | Uint8Array<ArrayBuffer>;
  /** Files beside it. */
  readonly files?: (place: Surroundings) => Record<string, string>;
  /** The environment, FOLDER filled in. */
  readonly env?: (place: Surroundings) => Record<string, string>;
  /** Flags, the same on both sides. */
  readonly flags?: Readonly<Record<string, string>>;
  /** The error message of the client; absent when the client reaches the API server. */
  readonly refused?: RegExp;
  /** Why kubectl's verdict is another. */
  readonly differs?: string;
}
