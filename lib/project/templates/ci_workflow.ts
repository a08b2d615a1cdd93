import { DENO_VERSION } from "./image_files.ts";

/**
 * Returns the text of a new project's `.github/workflows/ci.yaml`. `clone` is the folder of a clone
 * of the library that `deno.json` links to; the workflow then clones the library too.
 */
export function ciWorkflow(clone: string | undefined): string {
  return `name: ci
on:
  push: { branches: [main] }
  pull_request:
permissions: { contents: read }
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with: { fetch-depth: 0 }
      - uses: denoland/setup-deno@v2
        with: { deno-version: v${DENO_VERSION} }
${clone === undefined ? "" : cloneStep(clone)}      - run: deno task check
      - run: deno task test
      - name: The manifests are those of the code
        run: kubectl xca manifests --output=manifests --check
      - name: No change of a definition breaks stored objects
        if: github.event_name == 'pull_request'
        run: |
          git worktree add ../base "\${{ github.event.pull_request.base.sha }}"
          for file in $(cd ../base && grep -rl "^kind: CustomResourceDefinition" manifests || true); do
            kubectl xca crd diff "../base/$file" "$file"
          done
`;
}

function cloneStep(clone: string): string {
  return `      # Until a registry has @xca/operator: the variable XCA_REPOSITORY is the URL of its repository.
      - name: Clone the library
        run: |
          git clone --depth=1 "\${{ vars.XCA_REPOSITORY }}" "$RUNNER_TEMP/xca"
          sed -i "s|${clone}|$RUNNER_TEMP/xca|" deno.json
          echo "$RUNNER_TEMP/xca/plugin" >> "$GITHUB_PATH"
`;
}
