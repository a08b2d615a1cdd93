import { OPERATOR_ENVIRONMENT, V8_FLAGS } from "../runtime_settings.ts";

/** The version of Deno in the container image and the CI workflow of a new project. */
export const DENO_VERSION = "2.9.6";

/** Returns the text of the file `Dockerfile` of a new project. */
export function dockerfile(): string {
  const environment = Object.entries(OPERATOR_ENVIRONMENT).map(([name, value]) =>
    ` ${name}=${value}`
  );
  return `# deno task bundle && docker build -t IMAGE .
# Both images are arguments, so that a mirror or a fixed digest can take their place.
ARG DENO_IMAGE=denoland/deno:${DENO_VERSION}
# Any image with glibc and libgcc, and without a shell.
ARG BASE_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM \${DENO_IMAGE} AS build
WORKDIR /app
COPY dist/main.js .
# Leaves the code that V8 compiles in DENO_DIR, so that a start with the same flags of V8 compiles nothing: it
# takes 0.1 s of CPU in place of 0.25, and 23 MB less memory.
ENV DENO_NO_UPDATE_CHECK=1 DENO_DIR=/app/deno
RUN ["/usr/bin/deno", "run", "--no-prompt", "--no-lock", "${V8_FLAGS}", \\
  "main.js", "--compile"]

FROM \${BASE_IMAGE}
COPY --from=build /usr/bin/deno /usr/bin/deno
COPY --from=build /app /app
WORKDIR /app
USER 65532:65532
# Nothing is written: the root file system may be read-only.
ENV DENO_NO_UPDATE_CHECK=1 DENO_DIR=/app/deno${environment.join("")}
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
