import { V8_FLAGS } from "../v8_flags.ts";

/** The version of Deno in the container image of a new project. */
export const DENO_VERSION = "2.9.6";

/** Returns the text of the file `Dockerfile` of a new project. */
export function dockerfile(): string {
  return `# deno task bundle && docker build -t IMAGE .
# Both images are arguments, so that a mirror or a fixed digest can take their place.
ARG DENO_IMAGE=denoland/deno:${DENO_VERSION}
# Any image with glibc and libgcc, and without a shell.
ARG BASE_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM \${DENO_IMAGE} AS deno

FROM \${BASE_IMAGE}
COPY --from=deno /usr/bin/deno /usr/bin/deno
WORKDIR /app
COPY dist/main.js .
USER 65532:65532
# Nothing is written: the root file system may be read-only.
ENV DENO_NO_UPDATE_CHECK=1 DENO_DIR=/nonexistent
ENTRYPOINT ["/usr/bin/deno"]
CMD ["run", "--no-prompt", "--no-lock", "${V8_FLAGS}", \\
  "--allow-net", "--allow-env=KUBERNETES_SERVICE_HOST,KUBERNETES_SERVICE_PORT", \\
  "--allow-read=/var/run/secrets/kubernetes.io/serviceaccount", "main.js"]
`;
}

/**
 * Returns the text of a new project's `.dockerignore`, with which the image contains only the
 * bundle.
 */
export function dockerignore(): string {
  return `*
!dist/main.js
`;
}
