/**
 * TypeScript of CustomResourceDefinitions: modules with their schemas, or with interfaces alone.
 *
 * @module
 */
export { definitionModule, type DefinitionModuleOptions } from "./definition_module.ts";
export { interfaceModule, type InterfaceModuleOptions } from "./interface_module.ts";
