import * as z from 'zod/mini';

const made: { words: readonly string[]; schema: z.core.$ZodType }[] = [];

/** The open enumerations that this process has made: what the table can contain. For tests. */
export const openEnums = (): typeof made => made;

/**
 * An enumeration of stored words. It documents its words, and accepts any other one: functions of a newer version may have
 * written it, during an update and before a return. So no reader fails on it: it shows the word as it is, or skips what it
 * cannot show. A look-up by such a word must have an answer for all others, and what a word permits, only a known one does.
 *
 * @param computed further words of replies, which are not stored.
 */
export function openEnum<
  const Words extends readonly [string, ...string[]],
  const Computed extends readonly string[] = readonly [],
>(words: Words, description?: string, computed?: Computed) {
  const documented = z.enum<readonly (Words[number] | Computed[number])[]>([...words, ...(computed ?? [])]);
  const schema = description === undefined ? documented : documented.check(z.meta({ description }));
  const any = z.string()._zod;
  const parse: typeof any.parse = (payload, context) => any.parse(payload, context);
  schema._zod.parse = parse;
  schema._zod.run = parse;
  made.push({ words, schema });
  return schema;
}
