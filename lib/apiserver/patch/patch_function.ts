import type { ApiObject } from "../machinery/api_object.ts";

/** Makes the new object of the current one, which is absent when there is none, and stays as it is. */
export type PatchFunction = (current: ApiObject | undefined) => ApiObject;
