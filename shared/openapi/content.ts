import { type Format, mediaTypes } from '../core/format.ts';
import { toLines } from '../http/lines.ts';
import type { Example } from './example.ts';
import type { JsonSchema } from './schemas.ts';
import type { Content } from './specification.ts';

/** The schema of a body in a format. For lines it describes a string, with the schema of the list inside. */
function inFormat(schema: JsonSchema, format: Format): JsonSchema {
  if (format !== 'ndjson') return schema;
  const { description, ...list } = schema;
  return {
    type: 'string',
    description: `${description ?? ''} One JSON value per line.`.trim(),
    contentMediaType: mediaTypes.ndjson,
    contentSchema: list,
  };
}

/** Lines of a reply that its example shows, besides the last one, and objects of a list. */
const SHOWN = 2;

/** The first objects of each list of a reply. */
function abbreviated(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return reply;
  return Object.fromEntries(
    Object.entries(reply).map(([name, value]): [string, unknown] => [
      name,
      Array.isArray(value) && value.every((item) => typeof item === 'object') ? value.slice(0, SHOWN) : value,
    ]),
  );
}

/** Of a reply, only the first objects or lines, and the last line: readers copy requests only. */
function exampleIn(value: unknown, format: Format, part: 'body' | 'reply'): unknown {
  if (format !== 'ndjson' || !Array.isArray(value)) return part === 'reply' ? abbreviated(value) : value;
  const isShown = (index: number) => part === 'body' || index < SHOWN || index === value.length - 1;
  return toLines(value.filter((_, index) => isShown(index)));
}

/** A body or a reply in its format, with examples. */
export function content(
  { schema = {}, format }: { schema: JsonSchema | undefined; format: Format },
  examples: Readonly<Record<string, Example>>,
  part: 'body' | 'reply',
): Content {
  const all = Object.entries(examples).filter(([, example]) => example[part] !== undefined);
  // Of replies with the same status, only the first one. Of requests, which readers copy, all that differ.
  const texts = all.map(([, example]) => JSON.stringify(example[part]));
  const shown =
    part === 'reply' ? all.slice(0, 1) : all.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
  return {
    [mediaTypes[format]]: {
      schema: inFormat(schema, format),
      ...(shown.length === 0
        ? {}
        : {
            examples: Object.fromEntries(
              shown.map(([name, example]) => [
                name,
                { summary: example.summary, value: exampleIn(example[part], format, part) },
              ]),
            ),
          }),
    },
  };
}
