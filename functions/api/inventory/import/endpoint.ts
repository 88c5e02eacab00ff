import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
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
import { refusedCredentials } from '../../../domain/fields/common-fields.ts';

const kinds = ['node', 'service', 'agent'] as const;

const outcomes = ['added', 'changed', 'unchanged', 'refused', 'not_done'] as const;

const missing = z
  .strictObject({
    kind: z.enum(kinds).check(z.meta({ description: 'What it has to be.' })),
    id: z.string().check(z.meta({ description: 'Its id.' })),
  })
  .register(z.globalRegistry, { id: 'Import_missing', description: 'An object that is not there.' });

export const resultSchema = z
  .strictObject({
    kind: z.enum(kinds).check(z.meta({ description: 'What the line holds.' })),
    id: z.string().check(z.meta({ description: 'Id of the object.' })),
    outcome: z.enum(outcomes).check(
      z.meta({
        description:
          'added: it was not there; changed: it was, and differed; unchanged: it is there just so; refused: see error; ' +
          'not_done: there was no time, or the table did not answer; send the line again.',
      }),
    ),
    error: z.optional(errorSchema),
    missing: z.optional(
      z.array(missing).check(
        z.meta({
          description:
            'In a dry run, all that a refused line lacks: with these imported before, it would not be refused for them.',
        }),
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'Import_result', description: 'What became of a line of an import.' });

const total = (outcome: (typeof outcomes)[number]) =>
  z.int().check(z.meta({ description: `How many lines have the outcome ${outcome}.` }));

export const endpoint = defineEndpoint({
  id: 'importInventory',
  folder: 'inventory/import',
  tag: 'Bulk',
  method: 'POST',
  path: '/v1/import',
  summary: 'Import objects',
  description:
    'Makes the objects of the lines be there, with the ids that they have. What is not there is added, with the times and the ' +
    'revision of the line if it has them. What is there and differs is changed like any change: it keeps its record and its ' +
    'state, and its revision grows. Nothing is ever removed, so the same lines can be sent again at any time.\n\n' +
    `Up to ${MAX_IMPORT_OBJECTS} objects, none before what it refers to, as an export has them; send a larger file in pieces. ` +
    'If a line is malformed, all lines are refused and nothing is done. Otherwise each succeeds or fails by itself, under the ' +
    'same rules as an add or a change. The fields of `details` begin with the number of the line, counted from 0, blank lines left out.',
  role: 'Admin',
  access: 'write',
  params: z.strictObject({}),
  query: z.strictObject({ dry_run: queryFlag('Only say what would be done.') }),
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
        dry_run: z.boolean().check(z.meta({ description: 'Nothing was written.' })),
        added: total('added'),
        changed: total('changed'),
        unchanged: total('unchanged'),
        refused: total('refused'),
        not_done: total('not_done'),
        results: z
          .array(resultSchema)
          .check(z.meta({ description: 'What became of each object, in the order of the lines.' })),
      })
      .register(z.globalRegistry, { id: 'Import_results', description: 'What became of an import.' }),
  },
  errors: [],
});
