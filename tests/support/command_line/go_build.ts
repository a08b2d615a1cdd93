/** The flags and the environment of a build by Go. */
interface GoBuild {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The build of the control plane, for the Go programs of tests: Go uses the compiled packages of one
 * build again in others with the same flags.
 */
export const GO_BUILD: GoBuild = {
  args: ["-trimpath", "-buildvcs=false"],
  env: { CGO_ENABLED: "0" },
};
