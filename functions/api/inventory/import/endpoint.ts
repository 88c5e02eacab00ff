import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { errorSchema } from '../../../../shared/http/error-schema.ts';
import { MAX_BULK_BYTES } from '../../../domain/bulk/limits.ts';
import {
  idsDiffer,
  importLine,
  MAX_IMPORT_LINES,
  MAX_IMPORT_OBJECTS,
  objectsAreFew,
} from '../../../domain/bulk/inventory-line.ts';
import { queryFlag } from '../../../domain/fields/list-query.ts';
import { objectKind, objectKinds } from '../../../domain/fields/object-kind.ts';
import { refusedCredentials } from '../../../domain/fields/common-fields.ts';

const outcomes = ['added', 'changed', 'unchanged', 'refused', 'not_done'] as const;

const missing = z
  .strictObject({
    kind: z.enum(objectKinds).check(z.meta({ description: 'The required value.' })),
    id: z.string().check(z.meta({ description: 'Its id.' })),
  })
  .register(z.globalRegistry, { id: 'Import_missing', description: 'An object that does not exist.' });

export const resultSchema = z
  .strictObject({
    kind: objectKind,
    id: z.string().check(z.meta({ description: 'Id of the object.' })),
    outcome: z.enum(outcomes).check(
      z.meta({
        description:
          'added: it did not exist. changed: it differed. unchanged: it is identical. refused: see error. not_done: no ' +
          'time was left, or the table did not answer; send the line again.',
      }),
    ),
    error: z.optional(errorSchema),
    missing: z.optional(
      z.array(missing).check(
        z.meta({
          description: 'In a dry run, all objects that a refused line requires. Import them first.',
        }),
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'Import_result', description: 'Result of a line of an import.' });

const total = (outcome: (typeof outcomes)[number]) =>
  z.int().check(z.meta({ description: `Number of lines with the outcome ${outcome}.` }));

export const endpoint = defineEndpoint({
  id: 'importInventory',
  folder: 'inventory/import',
  tag: 'Bulk',
  method: 'POST',
  path: '/v1/import',
  summary: 'Import objects',
  description:
    'Adds or changes the objects of the lines, with their ids. A new object gets the times and the revision of its ' +
    'line, if present. An existing object that differs is changed: it keeps its history and state, and its revision ' +
    `increases. Nothing is removed, so the same lines can be sent again.\n\nAt most ${MAX_IMPORT_OBJECTS} objects, ` +
    'each after the objects that it refers to, as in an export; split larger files. If a line is malformed, all ' +
    'lines are refused. Otherwise each line succeeds or fails individually, under the rules of an add or a change. ' +
    'A name, an address or a path that is invalid under the present rules refuses its line, unless the object has it. ' +
    'Fields of `details` begin with the number of the line, counted from 0 without blank lines.',
  role: 'Admin',
  limit: 'refused',
  access: 'write',
  repeatable: true,
  query: z.strictObject({ dry_run: queryFlag('Report the results without any change.') }),
  body: z
    .array(importLine)
    .check(
      z.minLength(1),
      z.maxLength(MAX_IMPORT_LINES),
      objectsAreFew(),
      idsDiffer(),
      z.meta({ description: 'The objects.' }),
    ),
  bodyFormat: 'ndjson',
  maxBodyBytes: MAX_BULK_BYTES,
  refusedWithin: (path) => (path.length === 2 && path[1] === 'object' ? refusedCredentials : {}),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        dry_run: z.boolean().check(z.meta({ description: 'True if nothing was written.' })),
        added: total('added'),
        changed: total('changed'),
        unchanged: total('unchanged'),
        refused: total('refused'),
        not_done: total('not_done'),
        results: z
          .array(resultSchema)
          .check(z.meta({ description: 'Result of each object, in the order of the lines.' })),
      })
      .register(z.globalRegistry, { id: 'Import_results', description: 'Result of an import.' }),
  },
  errors: [],
});
