import type { OptionSpec } from './command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { fieldNamed, flagOf } from '../core/field-names.ts';
import { bodies } from '../generated/bodies.ts';
import type { Options } from '../core/options.ts';
import { type Fields, isFields, pairOf } from '../core/values.ts';

/** A field of a body that an option can give. */
export interface BodyField {
  /** `insights.node_ids` is inside of an object. */
  path: string;
  type: 'text' | 'number' | 'flag' | 'list';
  description: string;
  words?: readonly string[];
  /** Its value in an object that was added without it. */
  default?: unknown;
}

export type BodyName = keyof typeof bodies;

export const fieldsOfBody = (name: BodyName): readonly BodyField[] => bodies[name];

/** The name of the value of an option, as commander has it. */
const attributeOf = (flag: string) => flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const placeholders = { text: ' <text>', number: ' <number>', flag: ' [boolean]', list: ' <a,b>' } as const;

export const labelOption: OptionSpec = {
  flags: '--label <name=value>',
  description: 'a custom label',
  many: true,
};

/** The field of a body by any of its spellings. */
export function bodyField(name: BodyName, text: string): BodyField | undefined {
  const fields = fieldsOfBody(name);
  const path = fieldNamed(
    name,
    fields.map((field) => field.path),
    text,
  );
  return fields.find((field) => field.path === path);
}

/** Fields of an addition that cannot change. */
const isFixed = (name: BodyName, field: string) =>
  [`${name}_type`, `${name}_name`, 'runs_on_node_id', 'pmm_agent_id'].includes(field);

/** The fields of an object that a change takes. */
export function changeableFields(name: BodyName, object: Fields): Fields {
  const names = new Set([...fieldsOfBody(name).map(({ path }) => path.split('.')[0] ?? path), 'custom_labels']);
  return Object.fromEntries(Object.entries(object).filter(([field]) => names.has(field) && !isFixed(name, field)));
}

/** The fields that a change takes. */
export const fieldsOfChange = (name: BodyName): readonly BodyField[] =>
  fieldsOfBody(name).filter(({ path }) => !isFixed(name, path));

/** The error for a name that no field has, with the fields that can change. */
export const noField = (name: BodyName, text: string): CommandError => {
  const all = fieldsOfChange(name).map(({ path }) => path);
  return new CommandError(`No field of a ${name}: ${text}. There are: ${[...all, 'label.NAME'].join(', ')}.`);
};

/** The flags of a field: its short name, and its name with the kind if that is another one. */
const flagsOf = (name: BodyName, path: string) => [...new Set([flagOf(name, path), flagOf('', path)])];

/** An option for each field, except those that arguments give. Help shows one name of a field. */
export function bodyOptions(name: BodyName, given: readonly string[]): OptionSpec[] {
  return fieldsOfBody(name)
    .filter(({ path }) => !given.includes(path))
    .flatMap(({ path, type, description, words }) =>
      flagsOf(name, path).map((flag, index) => ({
        flags: `--${flag}${placeholders[type]}`,
        description,
        ...(words === undefined ? {} : { words }),
        ...(index === 0 ? {} : { isHidden: true as const }),
      })),
    );
}

/** Options for the fields of several bodies, which help leaves out. The server checks their values. */
export function sharedOptions(names: readonly BodyName[]): OptionSpec[] {
  const flags = names.flatMap((name) => bodyOptions(name, []).map((option) => option.flags));
  return [...new Set(flags)].map((flagText) => ({ flags: flagText, description: 'a field', isHidden: true }));
}

/** @throws CommandError if an option gives a field that the body does not have. */
export function checkOptions(name: BodyName, names: readonly BodyName[], options: Options): void {
  for (const { flags } of sharedOptions(names)) {
    const [, flag = ''] = /^--([\w-]+)/.exec(flags) ?? [];
    const isGiven = options.flag(attributeOf(flag)) || options.text(attributeOf(flag)) !== undefined;
    if (isGiven && bodyField(name, flag) === undefined) throw noField(name, `--${flag}`);
  }
}

/** A value of the type of the field. @throws CommandError if the text is none. */
export function valueOfText({ path, type }: BodyField, text: string): unknown {
  switch (type) {
    case 'number': {
      const number = Number(text);
      if (text.trim() === '' || Number.isNaN(number)) throw new CommandError(`${path} is a number, not: ${text}`);
      return number;
    }
    case 'flag':
      if (text !== 'true' && text !== 'false') throw new CommandError(`${path} is true or false, not: ${text}`);
      return text === 'true';
    case 'list':
      return text === '' ? [] : text.split(',');
    default:
      return text;
  }
}

export function setAt(body: Fields, path: string, value: unknown): void {
  const dot = path.indexOf('.');
  if (dot < 0) {
    body[path] = value;
    return;
  }
  const before = body[path.slice(0, dot)];
  const inner = isFields(before) ? before : {};
  setAt(inner, path.slice(dot + 1), value);
  body[path.slice(0, dot)] = inner;
}

/** `team=dba`; for a change also `team-`, which removes the label. */
function labelOf(text: string, canRemove: boolean): [name: string, value: string | null] {
  const [, removed] = (canRemove && /^([^=]+)-$/.exec(text)) || [];
  return removed === undefined
    ? pairOf(text, () => new CommandError(`--label is no name=value: ${text}`))
    : [removed, null];
}

/**
 * The fields that options give, and labels.
 *
 * @param isChange labels can be removed.
 */
export function bodyOfOptions(name: BodyName, options: Options, isChange = false): Fields {
  const body: Fields = {};
  for (const field of fieldsOfBody(name)) {
    const texts = flagsOf(name, field.path).flatMap((flag) => {
      const attribute = attributeOf(flag);
      // `--disabled` without a value.
      return options.flag(attribute) ? 'true' : (options.text(attribute) ?? []);
    });
    const [text, other] = texts;
    if (other !== undefined) throw new CommandError(`${field.path} is given twice.`);
    if (text !== undefined) setAt(body, field.path, valueOfText(field, text));
  }
  const labels = options.all('label').map((text) => labelOf(text, isChange));
  if (labels.length > 0) body['custom_labels'] = Object.fromEntries(labels);
  return body;
}
