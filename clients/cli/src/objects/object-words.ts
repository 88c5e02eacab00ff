import { CommandError } from '../core/exit-codes.ts';
import { isId, kindOf, type KindName } from './objects.ts';

/** An object as a person names it. */
export interface ObjectName {
  kind: KindName;
  /** Its name or id; of an agent its id, or its type with its targets and its node. */
  name: string;
}

const wrong = (text: string) =>
  new CommandError(
    `Not an object such as node/db-1, node db-1 or agent mysqld_exporter of orders on db-1: ${text || 'nothing'}`,
  );

/** The kind and the name in `node/db-1`. A name can have slashes. */
function slashed(word: string): ObjectName | undefined {
  const slash = word.indexOf('/');
  const kind = slash < 1 ? undefined : kindOf(word.slice(0, slash));
  const name = word.slice(slash + 1);
  return kind === undefined || name === '' ? undefined : { kind, name };
}

/** The name without the kind before it, which the output of `-o name` has. */
export function nameOfKind(kind: KindName, word: string): string {
  const slashedName = slashed(word);
  return slashedName?.kind === kind ? slashedName.name : word;
}

/** The words of one agent after its type: `of orders`, `on db-1`. They are taken from the list. */
function placeWords(rest: string[]): string[] {
  const taken: string[] = [];
  while (['of', 'on'].includes(rest[0] ?? '') && rest[1] !== undefined) taken.push(...rest.splice(0, 2));
  return taken;
}

/** Takes one object from the list, of the kind that precedes it, if one does. */
function takeObject(rest: string[], given: KindName | undefined): ObjectName {
  const word = rest.shift() ?? '';
  const reference = given === undefined ? slashed(word) : { kind: given, name: nameOfKind(given, word) };
  if (reference === undefined || reference.name === '') throw wrong(word);
  const { kind, name } = reference;
  return kind === 'agent' && !isId(name) ? { kind, name: [name, ...placeWords(rest)].join(' ') } : reference;
}

/** Takes the kind that precedes names: `node db-1`. */
function takeKind(rest: string[]): KindName | undefined {
  const kind = kindOf(rest[0] ?? '');
  if (kind !== undefined) rest.shift();
  return kind;
}

/** The first object in the words, and the words after it. */
export function firstObject(words: readonly string[]): [ObjectName, string[]] {
  const rest = [...words];
  const object = takeObject(rest, takeKind(rest));
  return [object, rest];
}

/** The only object in the words. */
export function onlyObject(words: readonly string[]): ObjectName {
  const [object, [next]] = firstObject(words);
  if (next !== undefined) throw new CommandError(`Give one object: ${next} follows ${object.kind} ${object.name}.`);
  return object;
}

/** All objects in the words: `node/db-1 service/orders`, or names of one kind: `node db-1 db-2`. */
export function objectsIn(words: readonly string[]): ObjectName[] {
  const rest = [...words];
  const kind = takeKind(rest);
  const objects = [takeObject(rest, kind)];
  while (rest.length > 0) objects.push(takeObject(rest, kind));
  return objects;
}
