/** A field of a message: its number with a number, a text, or bytes of a nested message. */
export type WireField = readonly [number: number, value: number | string | Buffer];

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Writes a message in the wire format of protobuf, without a description of its fields. */
export function encode(fields: readonly WireField[]): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)]);
      const bytes = Buffer.from(value as string);
      return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
    }),
  );
}

/** Reads a message: its fields in order, with numbers or bytes. */
export function decode(bytes: Buffer): [number: number, value: number | Buffer][] {
  const fields: [number, number | Buffer][] = [];
  let at = 0;
  const next = () => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = bytes[at];
      if (byte === undefined) throw new Error('the message ends too early');
      at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = next();
    if (tag % 8 === 0) fields.push([Math.floor(tag / 8), next()]);
    else if (tag % 8 === 2) {
      const length = next();
      fields.push([Math.floor(tag / 8), bytes.subarray(at, at + length)]);
      at += length;
    } else throw new Error(`wire type ${tag % 8}`);
  }
  return fields;
}

export const numberIn = (message: Buffer, field: number): number =>
  Number(decode(message).find(([number]) => number === field)?.[1] ?? 0);

/** The values of a repeated field. */
export const bytesIn = (message: Buffer, field: number): Buffer[] =>
  decode(message).flatMap(([number, value]) => (number === field && typeof value !== 'number' ? [value] : []));

export const textIn = (message: Buffer, field: number): string => (bytesIn(message, field)[0] ?? '').toString();
