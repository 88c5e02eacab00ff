import * as z from 'zod/mini';

/** A list of a reply whose objects the query parameter `fields` restricts to some of their fields. */
export interface ProjectedList {
  /** The field of the reply that contains the list. */
  list: string;
  /** The field that its objects always contain. */
  id: string;
}

/** The names in a text such as `a, b`. */
export function fieldNames(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

const querySchema = z.object({ fields: z.optional(z.string()) });
const objectSchema = z.record(z.string(), z.unknown());

/** The reply with only the requested fields. The whole reply was validated against its contract before. */
export function projectFields(reply: unknown, query: unknown, { list, id }: ProjectedList): unknown {
  const { fields } = z.parse(querySchema, query);
  if (fields === undefined) return reply;
  const wanted = new Set([id, ...fieldNames(fields)]);
  const { [list]: objects, ...rest } = z.parse(objectSchema, reply);
  const cut = z
    .parse(z.array(objectSchema), objects)
    .map((object) => Object.fromEntries(Object.entries(object).filter(([name]) => wanted.has(name))));
  return { [list]: cut, ...rest };
}
