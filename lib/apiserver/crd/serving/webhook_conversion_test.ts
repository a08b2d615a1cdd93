import assert from "node:assert/strict";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { convertByWebhook } from "./webhook_conversion.ts";

const stored = (name: string, apiVersion: string): ApiObject => ({
  apiVersion,
  kind: "Foo",
  metadata: { name, uid: `uid-${name}` },
});

/** Converts objects to v2 by a webhook that spoils the object `bad`; returns the error message. */
async function failureOf(
  objects: readonly ApiObject[],
  spoil: (object: ApiObject) => void,
): Promise<string> {
  const webhook = { clientConfig: {}, conversionReviewVersions: ["v1"] };
  const convert = convertByWebhook({ strategy: "Webhook", webhook } as never, {
    uid: () => "review",
    callWebhook: ({ review }) => {
      const { request } = review as { readonly request: { readonly objects: ApiObject[] } };
      const convertedObjects = structuredClone(request.objects);
      for (const object of convertedObjects) {
        object.apiVersion = "example.com/v2";
        if (object.metadata.name === "bad") spoil(object);
      }
      const result = { status: "Success" };
      return Promise.resolve({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "ConversionReview",
        response: { uid: "review", result, convertedObjects },
      });
    },
  });
  try {
    await convert(objects, "example.com/v2");
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  return "converted";
}

Deno.test("the error about a converted list names the index of the invalid object in the review", async () => {
  const objects = [
    stored("new", "example.com/v2"), // It is not sent to the webhook.
    stored("good", "example.com/v1"),
    stored("bad", "example.com/v1"),
  ];
  const about = "conversion webhook for example.com/v1, Kind=Foo returned invalid";
  assert.equal(
    await failureOf(objects, (object) => object.kind = "Bar"),
    `${about} converted object at index 1: invalid kind (expected Foo, received Bar)`,
  );
  assert.equal(
    await failureOf(objects, (object) => object.metadata.uid = "other"),
    `${about} converted object at index 1: must have the same UID: uid-bad != other`,
  );
  assert.equal(
    await failureOf(objects, (object) => object.metadata.labels = { a: 1 as never }),
    `${about} metadata in object at index 1: metadata.labels[a] must be a string, but is int64 ` +
      "in converted object",
  );
  assert.equal(
    await failureOf(objects.slice(2), (object) => object.kind = "Bar"),
    `${about} object at index 0: invalid kind (expected Foo, received Bar)`,
  );
});
