import { inventoryDocument } from '../../functions/openapi/document.ts';
import type { Operation, Parameter, Reference } from '../../shared/openapi/specification.ts';

const document = inventoryDocument('1.2.3');
const { parameters: sharedParameters } = document.components;

export const { schemas } = document.components;
export const operations = new Map<string, Operation>(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => [operation.operationId, operation] as const),
  ),
);

/** The statuses that the document states for an operation. */
export const documentedStatuses = (id: string): readonly number[] =>
  Object.keys(operations.get(id)?.responses ?? {}).map(Number);

export const schemaNamed = (name: string) => schemas[name] ?? {};

const isReference = (parameter: Parameter | Reference): parameter is Reference => '$ref' in parameter;

export const queryOf = (id: string): Parameter[] =>
  (operations.get(id)?.parameters ?? [])
    .map((parameter) => (isReference(parameter) ? sharedParameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter))
    .filter((parameter): parameter is Parameter => parameter?.in === 'query');
