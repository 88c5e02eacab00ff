import * as z from 'zod/mini';
import { agentImport, agentSchema } from '../agent/schema.ts';
import { nextPageShape } from '../fields/list-page.ts';
import { nodeImport, nodeSchema } from '../node/schema.ts';
import { serviceImport, serviceSchema } from '../service/schema.ts';

/** The most objects of one import: those of a page of an export. */
export const MAX_IMPORT_OBJECTS = 1000;

/** The most lines of one import: a page of an export with its end. */
export const MAX_IMPORT_LINES = MAX_IMPORT_OBJECTS + 1;

const kindField = <Kind extends string>(kind: Kind) =>
  z.literal(kind).check(z.meta({ description: 'Kind of the object.' }));

function lineOf<Kind extends string, Schema extends z.ZodMiniType>(kind: Kind, object: Schema, id: string) {
  return z
    .strictObject({ kind: kindField(kind), object })
    .register(z.globalRegistry, { id, description: `A line with a ${kind}.` });
}

const end = z
  .strictObject({
    kind: kindField('end'),
    complete: z.boolean().check(z.meta({ description: 'True after the last page: the export is complete.' })),
    ...nextPageShape,
  })
  .register(z.globalRegistry, { id: 'Line_end', description: 'The last line of a page.' });

export const exportLine = z
  .discriminatedUnion('kind', [
    lineOf('node', nodeSchema, 'Line_node'),
    lineOf('service', serviceSchema, 'Line_service'),
    lineOf('agent', agentSchema, 'Line_agent'),
    end,
  ])
  .register(z.globalRegistry, {
    id: 'Export_line',
    description: 'A line of an export: an object, or the end of a page.',
  });

/** A line of an import; lines of an export are valid. */
export const importLine = z
  .discriminatedUnion('kind', [
    lineOf('node', nodeImport, 'Import_line_node'),
    lineOf('service', serviceImport, 'Import_line_service'),
    lineOf('agent', agentImport, 'Import_line_agent'),
    end,
  ])
  .register(z.globalRegistry, {
    id: 'Import_line',
    description: 'A line of an import: an object, or the end of an export page, which is ignored.',
  });

export type ImportLine = z.output<typeof importLine>;
export type ObjectLine = Exclude<ImportLine, { kind: 'end' }>;

export function idOfLine(line: ObjectLine): string {
  if (line.kind === 'node') return line.object.node_id;
  return line.kind === 'service' ? line.object.service_id : line.object.agent_id;
}

export function objectsAreFew<List extends readonly ImportLine[]>() {
  return z.check<List>(({ value, issues }) => {
    if (value.filter(({ kind }) => kind !== 'end').length <= MAX_IMPORT_OBJECTS) return;
    const message = `Must have at most ${MAX_IMPORT_OBJECTS} objects. Split the file.`;
    issues.push({ code: 'custom', input: value, message, params: { reason: 'too_many' } });
  });
}

/** Each object may be in one line only, because of two lines neither is the right one. */
export function idsDiffer<List extends readonly ImportLine[]>() {
  return z.check<List>(({ value, issues }) => {
    const seen = new Set<string>();
    for (const [index, line] of value.entries()) {
      if (line.kind === 'end') continue;
      const name = `${line.kind} ${idOfLine(line)}`;
      const path = [index, 'object', `${line.kind}_id`];
      if (seen.has(name))
        issues.push({
          code: 'custom',
          input: value,
          path,
          message: 'Another line has this id.',
          params: { reason: 'duplicate' },
        });
      seen.add(name);
    }
  });
}
