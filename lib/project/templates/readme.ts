import type { ProjectSettings } from "../project.ts";
import type { KindNames } from "../scaffold/kind_names.ts";

/** Returns the text of a new project's `README.md`. */
export function readme({ name, image }: ProjectSettings, kind: KindNames): string {
  return `# ${name}

A Kubernetes operator, made with \`@xca/operator\`.

\`\`\`sh
deno task test      # all tests, on an API server in the process
deno task check     # format, lint, types
deno task dev       # the operator on an embedded API server, again at each save
deno task manifests # write manifests/, which belong to the sources: CI compares them with the code
\`\`\`

- \`operator.ts\`: the operator, with its controllers and webhooks.
- \`api/<version>/\`: the kinds: schema and definition, from which the types are inferred.
- \`controllers/\`, \`webhooks/\`: what the operator does, with tests beside.
- \`main.ts\`: the program of the image: election, health, metrics, webhooks.
- \`xca.json\`: name, namespace and image of the operator, and the domain of its groups.

Add a kind, or webhooks of a kind:

\`\`\`sh
kubectl xca create api --kind Other
kubectl xca create webhook --kind ${kind.kind} --defaulting --validation
\`\`\`

Try it on a cluster, from the sources:

\`\`\`sh
kubectl xca dev
kubectl apply -f - <<'END'
apiVersion: ${kind.group}/${kind.version}
kind: ${kind.kind}
metadata: { name: first }
spec: { message: good morning }
END
\`\`\`

Deploy it:

\`\`\`sh
deno task bundle && docker build -t ${image} . && docker push ${image}
kubectl xca deploy
\`\`\`
`;
}
