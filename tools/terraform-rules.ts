import * as z from 'zod/mini';
import { additions } from '../functions/domain/bulk/additions.ts';
import { NO_HOST, refusalOf } from '../functions/domain/fields/address.ts';
import type { ObjectKind } from '../functions/domain/fields/object-kind.ts';
import { isMarked, isOfNewValues, type NewValueRule } from '../shared/core/new-value-rule.ts';
import { invisible, NAME_FAULTS, OTHER_BLANK, WHITE_SPACE } from '../shared/core/text.ts';
import { EMBEDDING, HOST_NAME_FAULTS, LOCAL_TRANSLATION, SPECIAL_NAMES, SPECIAL_NETWORKS } from '../shared/net/host.ts';
import fc from '../shared/testing/fast-check.ts';
import { newValues } from '../tests/support/new-values.ts';
import { HEADER, type ProviderKind } from './terraform-provider.ts';

const FILE = 'clients/terraform/internal/fields/generated_rules.go';
export const CASES_FILE = 'clients/terraform/internal/fields/testdata/new-values.json';

/** The schema of a text in a schema that makes it optional or gives it a default. */
function textIn(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault)
    return textIn(schema._zod.def.innerType);
  return schema;
}

/** The rule for new values of a field, which is the same in all types with the field. */
function ruleOf(kind: ObjectKind, field: string): NewValueRule | undefined {
  const { options } = additions[kind]._zod.innerType._zod.def;
  const rules = options.flatMap((option) => {
    const shape: Readonly<Record<string, z.core.$ZodType>> = option instanceof z.ZodMiniObject ? option.shape : {};
    const schema = shape[field];
    if (schema === undefined) return [];
    return [textIn(schema)._zod.def.checks?.find(isMarked)?.newValueRule];
  });
  const [first] = rules;
  const texts = rules.map((rule) => rule && ruleText(rule));
  if (texts.some((text) => text !== texts[0]))
    throw new Error(`${kind}.${field}: the rule for new values differs between types`);
  return first;
}

const quoted = (text: string) => JSON.stringify(text);

/** A pattern in Go. @throws Error for one that Go's syntax does not have. */
function patternOf({ source, flags }: RegExp): string {
  if (flags !== '' || /\(\?[^:]/.test(source)) throw new Error(`Go has no such pattern: ${source}`);
  return `regexp.MustCompile(${quoted(source.replaceAll('\\/', '/'))})`;
}

/** A rule as a Go value. */
function ruleText(rule: NewValueRule): string {
  switch (rule.rule) {
    case 'legible':
      return 'legible{}';
    case 'form':
      return `form{${patternOf(rule.form)}, ${quoted(rule.message)}}`;
    case 'host':
      return `host{[]string{${rule.refused.map(quoted).join(', ')}}, ${quoted(refusalOf(rule.refused))}}`;
  }
}

const LAST_CODE_POINT = 0x10_ffff;
const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;

/** The code points that a pattern matches, as a Go value. */
function rangesOf(pattern: RegExp): string {
  const ranges: [first: number, last: number][] = [];
  for (let point = 0; point <= LAST_CODE_POINT; point += 1) {
    if (isSurrogate(point) || !pattern.test(String.fromCodePoint(point))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  const rows = (from: number, to: number) =>
    ranges
      .filter(([first]) => first >= from && first <= to)
      .map((range) => `{${range.map((point) => `0x${point.toString(16)}`).join(', ')}, 1}`)
      .join(', ');
  return `&unicode.RangeTable{\n\tR16: []unicode.Range16{${rows(0, 0xffff)}},\n\tR32: []unicode.Range32{${rows(0x1_0000, LAST_CODE_POINT)}},\n}`;
}

/** A variable of Go with its comment. */
const declared = (name: string, comment: string, value: string) => `\n// ${name} ${comment}\nvar ${name} = ${value}\n`;

/** The rows of a map, aligned as `gofmt` does. */
function mapOf(type: string, values: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(values).map((name) => quoted(name).length)) + 1;
  return listOf(
    type,
    Object.entries(values).map(([name, text]) => `${`${quoted(name)}:`.padEnd(width)} ${text}`),
  );
}

const listOf = (type: string, rows: readonly string[]) => `${type}{\n${rows.map((row) => `\t${row},\n`).join('')}}`;

/** The tables of the rules, as Go source. @param rules by kind and field: `node.address`. */
function ruleTables(rules: ReadonlyMap<string, NewValueRule>): string {
  const prefixes = (texts: readonly string[]) => `prefixes(${texts.map(quoted).join(', ')})`;
  const ofFields = Object.fromEntries(Array.from(rules, ([name, rule]) => [name, ruleText(rule)]));
  const ofNames = Object.fromEntries(Object.entries(NAME_FAULTS).map(([name, text]) => [name, quoted(text)]));
  return [
    declared('rules', 'has the rules by kind and field.', mapOf('map[string]Rule', ofFields)),
    declared('whiteSpace', 'has the characters that no name begins or ends with.', rangesOf(WHITE_SPACE)),
    declared('otherBlanks', 'has the characters that look like a space.', rangesOf(OTHER_BLANK)),
    declared('invisible', 'has the invisible characters, also those of emoji.', rangesOf(invisible())),
    declared('nameFaults', 'has the messages of names.', mapOf('map[string]string', ofNames)),
    `\n// noHost is the message of a text that is no host.\nconst noHost = ${quoted(NO_HOST)}\n`,
    declared(
      'specialNetworks',
      'has the networks of each kind of special address.',
      listOf(
        '[]specialNetwork',
        SPECIAL_NETWORKS.map(([kind, texts]) => `{${quoted(kind)}, ${prefixes(texts)}}`),
      ),
    ),
    declared(
      'specialNames',
      'has the names that need no DNS.',
      listOf(
        '[]specialName',
        SPECIAL_NAMES.map(([kind, names]) => `{${quoted(kind)}, ${patternOf(names)}}`),
      ),
    ),
    declared(
      'embeddings',
      'has the IPv6 networks with IPv4 addresses in their addresses.',
      listOf(
        '[]embedding',
        EMBEDDING.map(
          ({ network, shift, isInverted }) =>
            `{${prefixes([network])}[0], ${shift / 8}, ${String(isInverted === true)}}`,
        ),
      ),
    ),
    declared('localTranslation', 'has the addresses of local translators.', `${prefixes([LOCAL_TRANSLATION])}[0]`),
    declared(
      'hostNameFaults',
      'has the faults of host names.',
      listOf(
        '[]form',
        HOST_NAME_FAULTS.map(([pattern, message]) => `{${patternOf(pattern)}, ${quoted(message)}}`),
      ),
    ),
  ].join('');
}

/** The fields with a rule for new values, by kind and field: `node.address`. */
function fieldsWithRules(kinds: readonly ProviderKind[]): Map<string, NewValueRule> {
  return new Map(
    kinds.flatMap(({ kind, desired }) =>
      desired.flatMap(({ name }) => {
        const rule = ruleOf(kind, name);
        return rule === undefined ? [] : [[`${kind}.${name}`, rule] as const];
      }),
    ),
  );
}

/** Random values of each field, besides those that its rule names. */
const RANDOM_CASES = 60;

/** Values whose verdict depends on the version of Unicode. The provider leaves invalid ones to the server. */
const isOfUnicode = ({ rule }: NewValueRule, value: string): boolean =>
  rule === 'host' ? /[^ -~]|xn--/i.test(value) : /\u200d|\ufe0f|[\u{e0020}-\u{e007f}]/u.test(value);

/** A value of a field, and the message of the server about it. */
export interface NewValueCase {
  kind: ObjectKind;
  field: string;
  value: string;
  /** Null: it is valid. */
  message: string | null;
  /** The provider may accept it although it is invalid. */
  isOfUnicode?: true;
}

/** The cases of a field. Only the rule for new values may refuse them. */
function casesOf({ kind, desired }: ProviderKind, name: string, rule: NewValueRule): NewValueCase[] {
  const typeField = `${kind}_type`;
  const [type] = desired.find((field) => field.name === name)?.types ?? [];
  const { named, random } = newValues[rule.rule];
  const values = [...named, ...fc.sample(random, { numRuns: RANDOM_CASES, seed: 1 })];
  // Terraform normalises texts.
  return [...new Set(values.map((value) => value.normalize()))].flatMap((value): NewValueCase[] => {
    const { error } = z.safeParse(additions[kind], { [typeField]: type, [name]: value });
    const issues = error?.issues.filter(({ path }) => path[0] === name) ?? [];
    if (issues.some((issue) => !isOfNewValues(issue))) return [];
    const message = issues[0]?.message ?? null;
    const more = isOfUnicode(rule, value) ? { isOfUnicode: true as const } : {};
    return [{ kind, field: name, value, message, ...more }];
  });
}

/** One case in a line, in ASCII: invisible characters are legible in a difference. */
const caseLine = (valueCase: NewValueCase) =>
  JSON.stringify(valueCase).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The generated source of the rules for new values, and cases of them, by their paths. */
export function terraformRules(kinds: readonly ProviderKind[]): [path: string, text: string][] {
  const source = `${HEADER}\nimport (\n\t"regexp"\n\t"unicode"\n)\n${ruleTables(fieldsWithRules(kinds))}`;
  const cases = kinds.flatMap((kind) =>
    Array.from(fieldsWithRules([kind]), ([name, rule]) => casesOf(kind, name.split('.')[1] ?? '', rule)).flat(),
  );
  return [
    [FILE, source],
    [CASES_FILE, `[\n${cases.map(caseLine).join(',\n')}\n]\n`],
  ];
}
