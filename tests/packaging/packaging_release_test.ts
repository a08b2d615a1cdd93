/** The files of a release: krew's manifest, the bill of materials, the workflow. */
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { archiveName, krewManifest } from "../../plugin/krew.ts";
import { PLATFORMS } from "../../plugin/compile.ts";
import { components, sbom } from "../../plugin/sbom.ts";
import { FOREIGN, lock, root, UUID_URN } from "../support/packaging/packaging.ts";

Deno.test("packaging: krew's manifest names an archive, its checksum and its files for each platform", () => {
  const text = krewManifest({
    repository: "owner/name",
    version: "1.2.3",
    sha256: ({ os }) => os.length.toString(16).repeat(64),
  });
  const { apiVersion, kind, metadata, spec } = load(text) as Record<string, never> & {
    metadata: { name: string };
    spec: {
      version: string;
      homepage: string;
      shortDescription: string;
      description: string;
      platforms: {
        selector: { matchLabels: { os: string; arch: string } };
        uri: string;
        sha256: string;
        files: { from: string; to: string }[];
        bin: string;
      }[];
    };
  };
  assert.equal(apiVersion, "krew.googlecontainertools.github.com/v1alpha2");
  assert.equal(kind, "Plugin");
  assert.equal(metadata.name, "xca");
  assert.equal(spec.version, "v1.2.3");
  assert(spec.shortDescription.length < 50);
  assert(!text.includes("@VERSION@") && !text.includes("@REPOSITORY@"));
  assert.equal(spec.platforms.length, PLATFORMS.length);
  spec.platforms.forEach((entry, index) => {
    const platform = PLATFORMS[index]!;
    assert.deepEqual(entry.selector.matchLabels, { os: platform.os, arch: platform.arch });
    assert(entry.uri.endsWith(`/v1.2.3/${archiveName(platform)}`), entry.uri);
    assert.match(entry.sha256, /^[0-9a-f]{64}$/);
    assert(entry.files.some(({ from }) => from === entry.bin));
    assert(entry.files.some(({ from }) => from === "LICENSE"));
  });
});

Deno.test("packaging: the bill of materials lists every package that the lock file pins", () => {
  const listed = components(lock);
  assert.equal(listed.length, Object.keys(lock.npm).length);
  for (const { name, version, hashes } of listed) {
    const id = `${name}@${version}`;
    assert(Object.keys(lock.npm).some((key) => key === id || key.startsWith(`${id}_`)), id);
    assert.match(hashes[0]!.content, /^[0-9a-f]{128}$/);
  }
  assert(listed.some(({ name }) => name === "commander"));
  assert(listed.every(({ name }) => !FOREIGN.test(name)), "packages of tests are in the bill");
  const { bomFormat, specVersion, serialNumber } = sbom(lock);
  assert.deepEqual([bomFormat, specVersion], ["CycloneDX", "1.6"]);
  assert.match(String(serialNumber), UUID_URN);
  assert.equal(sbom(lock)["serialNumber"], serialNumber, "the same bill has the same number");
  assert.notEqual(sbom({ npm: {} })["serialNumber"], serialNumber);
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

Deno.test("packaging: the release pins its actions, and runs no repository code with write permissions", () => {
  const text = Deno.readTextFileSync(new URL(".github/workflows/release.yml", root));
  const { permissions, jobs } = load(text) as {
    permissions: unknown;
    jobs: Readonly<Record<string, Job>>;
  };
  assert.deepEqual(permissions, {}, "no right that a job does not name");
  for (const [name, job] of Object.entries(jobs)) {
    assert(job.permissions, name);
    const mayWrite = job.permissions["contents"] === "write";
    for (const { uses, run, with: inputs } of job.steps) {
      if (uses !== undefined) assert.match(uses, /@[0-9a-f]{40}$/, `${name}: ${uses}`);
      if (uses?.startsWith("actions/checkout@")) {
        assert(!mayWrite, `${name} may write, and has the code`);
        assert.equal(inputs?.["persist-credentials"], false, name);
      }
      assert(!run?.includes("${{"), `${name}: ${run} is put together from outside`);
    }
  }
});
