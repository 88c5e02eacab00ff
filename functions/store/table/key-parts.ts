import { hash } from 'node:crypto';

/** Escapes a part of a compound key, so that the parts stay distinct: `#` becomes %23, and `%` becomes %25. */
export function part(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('#', '%23');
}

/** A byte that spreads texts evenly. As hexadecimal text, a hash takes half the time that it takes as a Buffer. */
export const byteOf = (text: string) => Number.parseInt(hash('sha256', text).slice(0, 2), 16);

/** The values of the parts of a shape such as `RATE#<key id>#<minute>`, in order. */
type Parts<
  Shape extends string,
  Known extends (string | number)[] = [],
> = Shape extends `${string}<${string}>${infer Rest}` ? Parts<Rest, [...Known, string | number]> : Known;

const PART = /<[^>]*>/;

/** Fills the shape in. Escapes each part that another text follows. */
function fill(shape: string): (parts: readonly (string | number)[]) => string {
  const [start = '', ...texts] = shape.split(PART);
  return (parts) =>
    texts.reduce((key, text, index) => {
      const value = String(parts[index]);
      return key + (text === '' ? value : part(value) + text);
    }, start);
}

/** A function that makes texts of this shape from their parts. */
export function textFrom<Shape extends string>(shape: Shape) {
  const filled = fill(shape);
  return (...parts: Parts<Shape>) => filled(parts);
}

/** A function that makes keys of this shape from the parts of the partition key and of the sort key, in order. */
export function keyFrom<Pk extends string, Sk extends string>({ pk, sk }: { pk: Pk; sk: Sk }) {
  const count = pk.split(PART).length - 1;
  const [partition, sort] = [fill(pk), fill(sk)];
  return (...parts: Parts<`${Pk}${Sk}`>) => ({ pk: partition(parts), sk: sort(parts.slice(count)) });
}

/** The text of a shape before its first part: the prefix of all such keys. */
export const prefixFrom = (shape: string) => shape.split(PART)[0] ?? '';

/** Matches the keys of these shapes. */
export function patternFrom(shapes: readonly string[]): RegExp {
  const sources = shapes.map((shape) =>
    shape
      .replaceAll('*', '\\*')
      .replace(/<[^>|]*>$/, '.*')
      .replaceAll(/<([^>]*)>/g, (_, name: string) => (name.includes('|') ? `(?:${name})` : '[^#]+')),
  );
  return new RegExp(`^(?:${sources.join('|')})$`, 's');
}
